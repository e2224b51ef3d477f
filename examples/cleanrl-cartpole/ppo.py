"""PPO for discrete actions in one file, in the style of single-file libraries: flags, SummaryWriter, runs/<name>/. It knows nothing of rlxp."""

import argparse
import os
import random
import time

import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical
from torch.utils.tensorboard import SummaryWriter


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--exp-name", default=os.path.splitext(os.path.basename(__file__))[0])
    parser.add_argument("--env-id", default="CartPole-v1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--total-timesteps", type=int, default=100_000)
    parser.add_argument("--num-envs", type=int, default=8)
    parser.add_argument("--num-steps", type=int, default=64)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--anneal-lr", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--gamma", type=float, default=0.98)
    parser.add_argument("--gae-lambda", type=float, default=0.8)
    parser.add_argument("--update-epochs", type=int, default=8)
    parser.add_argument("--num-minibatches", type=int, default=4)
    parser.add_argument("--clip-coef", type=float, default=0.2)
    parser.add_argument("--ent-coef", type=float, default=0.0)
    parser.add_argument("--vf-coef", type=float, default=0.5)
    parser.add_argument("--max-grad-norm", type=float, default=0.5)
    parser.add_argument("--save-model", action=argparse.BooleanOptionalAction, default=False)
    parser.add_argument("--capture-video", action=argparse.BooleanOptionalAction, default=False)
    return parser.parse_args()


def make_env(env_id, idx, capture_video, run_name):
    def thunk():
        if capture_video and idx == 0:
            env = gym.wrappers.RecordVideo(gym.make(env_id, render_mode="rgb_array"), f"videos/{run_name}")
        else:
            env = gym.make(env_id)
        return gym.wrappers.RecordEpisodeStatistics(env)

    return thunk


def layer(inputs, outputs, gain=2**0.5):
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Agent(nn.Module):
    def __init__(self, envs):
        super().__init__()
        inputs = int(np.prod(envs.single_observation_space.shape))
        self.critic = nn.Sequential(layer(inputs, 64), nn.Tanh(), layer(64, 64), nn.Tanh(), layer(64, 1, 1.0))
        self.actor = nn.Sequential(layer(inputs, 64), nn.Tanh(), layer(64, 64), nn.Tanh(), layer(64, envs.single_action_space.n, 0.01))

    def get_value(self, x):
        return self.critic(x)

    def get_action_and_value(self, x, action=None):
        policy = Categorical(logits=self.actor(x))
        if action is None:
            action = policy.sample()
        return action, policy.log_prob(action), policy.entropy(), self.critic(x)


def main():
    args = parse_args()
    run_name = f"{args.env_id}__{args.exp_name}__{args.seed}__{int(time.time())}"
    writer = SummaryWriter(f"runs/{run_name}")
    writer.add_text("hyperparameters", "\n".join(f"{key}: {value}" for key, value in vars(args).items()))

    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)

    envs = gym.vector.SyncVectorEnv(
        [make_env(args.env_id, i, args.capture_video, run_name) for i in range(args.num_envs)],
        autoreset_mode=gym.vector.AutoresetMode.SAME_STEP,
    )
    agent = Agent(envs)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    train(args, envs, agent, optimizer, writer)

    if args.save_model:
        path = f"runs/{run_name}/{args.exp_name}.cleanrl_model"
        torch.save(agent.state_dict(), path)
        print(f"model saved to {path}")
    envs.close()
    writer.close()


def train(args, envs, agent, optimizer, writer):
    batch_size = args.num_envs * args.num_steps
    num_iterations = args.total_timesteps // batch_size
    obs = torch.zeros((args.num_steps, args.num_envs) + envs.single_observation_space.shape)
    actions = torch.zeros((args.num_steps, args.num_envs), dtype=torch.long)
    logprobs, rewards, dones, values = (torch.zeros((args.num_steps, args.num_envs)) for _ in range(4))

    global_step = 0
    start_time = time.time()
    next_obs = torch.as_tensor(envs.reset(seed=args.seed)[0])
    next_done = torch.zeros(args.num_envs)
    for iteration in range(num_iterations):
        if args.anneal_lr:
            optimizer.param_groups[0]["lr"] = (1 - iteration / num_iterations) * args.learning_rate

        for step in range(args.num_steps):
            global_step += args.num_envs
            obs[step], dones[step] = next_obs, next_done
            with torch.no_grad():
                action, logprob, _, value = agent.get_action_and_value(next_obs)
            actions[step], logprobs[step], values[step] = action, logprob, value.flatten()
            observation, reward, terminated, truncated, infos = envs.step(action.numpy())
            rewards[step] = torch.as_tensor(reward)
            next_obs, next_done = torch.as_tensor(observation), torch.as_tensor(terminated | truncated).float()
            if "final_info" in infos:
                episode = infos["final_info"]["episode"]
                for env in np.flatnonzero(infos["final_info"]["_episode"]):
                    writer.add_scalar("charts/episodic_return", episode["r"][env], global_step)
                    writer.add_scalar("charts/episodic_length", episode["l"][env], global_step)

        with torch.no_grad():
            next_value = agent.get_value(next_obs).flatten()
        advantages = torch.zeros_like(rewards)
        last = torch.zeros(args.num_envs)
        for t in reversed(range(args.num_steps)):
            is_last = t == args.num_steps - 1
            alive = 1 - (next_done if is_last else dones[t + 1])
            following = next_value if is_last else values[t + 1]
            delta = rewards[t] + args.gamma * following * alive - values[t]
            last = delta + args.gamma * args.gae_lambda * alive * last
            advantages[t] = last
        batch = (obs.flatten(0, 1), actions.flatten(), logprobs.flatten(), advantages.flatten(), (advantages + values).flatten())
        policy_loss, value_loss, entropy = update(args, agent, optimizer, batch, batch_size)

        writer.add_scalar("charts/learning_rate", optimizer.param_groups[0]["lr"], global_step)
        writer.add_scalar("losses/value_loss", value_loss, global_step)
        writer.add_scalar("losses/policy_loss", policy_loss, global_step)
        writer.add_scalar("losses/entropy", entropy, global_step)
        sps = int(global_step / (time.time() - start_time))
        writer.add_scalar("charts/SPS", sps, global_step)
        print("SPS:", sps)


def update(args, agent, optimizer, batch, batch_size):
    obs, actions, logprobs, advantages, returns = batch
    for _ in range(args.update_epochs):
        for indices in torch.randperm(batch_size).chunk(args.num_minibatches):
            _, new_logprob, entropy, value = agent.get_action_and_value(obs[indices], actions[indices])
            ratio = (new_logprob - logprobs[indices]).exp()
            advantage = advantages[indices]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
            policy_loss = torch.max(-advantage * ratio, -advantage * clipped).mean()
            value_loss = 0.5 * ((value.flatten() - returns[indices]) ** 2).mean()
            loss = policy_loss - args.ent_coef * entropy.mean() + args.vf_coef * value_loss
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
            optimizer.step()
    return policy_loss.item(), value_loss.item(), entropy.mean().item()


if __name__ == "__main__":
    main()
