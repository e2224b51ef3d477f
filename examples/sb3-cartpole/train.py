"""Trains PPO of Stable-Baselines3 on CartPole with normalised observations: an ordinary script that knows nothing of rlxp."""

import argparse
import os

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import CheckpointCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecNormalize


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--env", default="CartPole-v1")
    parser.add_argument("--num-envs", type=int, default=8)
    parser.add_argument("--total-timesteps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tensorboard", default="logs")
    parser.add_argument("--save-path", default="checkpoints")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--n-steps", type=int, default=64)
    parser.add_argument("--n-epochs", type=int, default=10)
    parser.add_argument("--gamma", type=float, default=0.98)
    parser.add_argument("--gae-lambda", type=float, default=0.8)
    parser.add_argument("--ent-coef", type=float, default=0.0)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.set_num_threads(1)
    env = make_vec_env(args.env, n_envs=args.num_envs, seed=args.seed)
    env = VecNormalize(env, gamma=args.gamma)
    model = PPO(
        "MlpPolicy",
        env,
        learning_rate=args.learning_rate,
        n_steps=args.n_steps,
        batch_size=256,
        n_epochs=args.n_epochs,
        gamma=args.gamma,
        gae_lambda=args.gae_lambda,
        ent_coef=args.ent_coef,
        seed=args.seed,
        tensorboard_log=args.tensorboard,
        device="cpu",
    )
    every = max(args.total_timesteps // 4 // args.num_envs, 1)
    checkpoints = CheckpointCallback(every, args.save_path, name_prefix="ppo", save_vecnormalize=True)
    model.learn(args.total_timesteps, callback=checkpoints)
    model.save(os.path.join(args.save_path, "model"))
    env.save(os.path.join(args.save_path, "vecnormalize.pkl"))


if __name__ == "__main__":
    main()
