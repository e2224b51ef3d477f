"""Evaluates a Stable-Baselines3 model as trial.json asks and writes evaluation.json. Runs in the user's interpreter, beside rlxp_edge.py.

Usage: sb3_evaluate.py trial.json [--normalizer none|GLOB] [--algo module:Class]
"""

import argparse
import glob
import importlib
import json
import os
import sys
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from rlxp_edge import Episodes, Refused, Trial, capped, cause_of, describe, find_normalizer, run, untrained


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trial_json")
    parser.add_argument("--normalizer", default="none")
    parser.add_argument("--algo", default=None, help="class that loads the model, for example sb3_contrib:RecurrentPPO")
    args = parser.parse_args()
    trial = Trial(args.trial_json)
    checkpoint, normalizer = None, "none"
    if trial.policy == "checkpoint":
        # Before the libraries are loaded, so that a refusal comes at once.
        path = trial.checkpoint()
        statistics = find_statistics(trial, path, args.normalizer)
        algo = args.algo or class_of(path)

    import torch
    from stable_baselines3.common.utils import set_random_seed

    torch.set_num_threads(1)
    set_random_seed(trial.seed)
    venv = make_venv(trial)
    if trial.policy == "checkpoint":
        if statistics is not None:
            venv, normalizer = normalised(trial, statistics, venv), "present"
        model = load_class(algo).load(path, device=trial.device)
        venv = fitted(model, venv)
        checkpoint = describe(trial, path, model.num_timesteps)
        episodes = play(trial, venv, model.predict)
    else:
        episodes = play(trial, venv, untrained_predict(trial, venv))
    episodes.write(checkpoint, normalizer)
    venv.close()


def make_venv(trial):
    """Monitor outside everything but the normaliser: its returns are the environment's own."""
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    venv = DummyVecEnv([lambda: Monitor(capped(trial.make_env(), trial.max_steps)) for _ in range(trial.num_envs)])
    venv.seed(trial.seed)
    venv.action_space.seed(trial.seed)
    return venv


def find_statistics(trial, checkpoint, pattern):
    """None where training normalises nothing, and nothing speaks against it."""
    if pattern != "none":
        return find_normalizer(trial, checkpoint, pattern)
    beside = glob.glob(os.path.join(glob.escape(os.path.dirname(checkpoint)), "*vecnormalize*.pkl"))
    if beside:
        raise Refused(f"adapter.yaml says `normalizer: none`, but {os.path.basename(beside[0])} lies beside the checkpoint: name it there, or train without VecNormalize")
    return None


def normalised(trial, path, venv):
    """With the statistics frozen, and rewards as they are."""
    from stable_baselines3.common.vec_env import VecNormalize

    try:
        venv = VecNormalize.load(path, venv)
    except Exception as error:
        raise Refused(f"{os.path.relpath(path, trial.folder)} cannot be loaded as VecNormalize statistics: {error}") from error
    venv.training = False
    venv.norm_reward = False
    return venv


def class_of(path):
    """Which algorithm saved the model; its file does not say so outright, only which policy it has and what settings."""
    try:
        with zipfile.ZipFile(path) as archive:
            saved = json.loads(archive.read("data"))
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise Refused(f"{os.path.basename(path)} is no model of Stable-Baselines3: {error}") from error
    policy = saved.get("policy_class", {})
    module = policy.get("__module__", "") if isinstance(policy, dict) else ""
    for name, found in (("sac", "SAC"), ("td3", "TD3"), ("dqn", "DQN")):
        if module == f"stable_baselines3.{name}.policies":
            return f"stable_baselines3:{found}"
    if module == "stable_baselines3.common.policies":
        return "stable_baselines3:PPO" if "n_epochs" in saved else "stable_baselines3:A2C"
    raise Refused(f"which algorithm saved {os.path.basename(path)} cannot be told (its policy is from `{module}`): add `--algo module:Class` to `evaluate`")


def load_class(spec):
    module, _, name = spec.partition(":")
    return getattr(importlib.import_module(module), name)


def fitted(model, venv):
    """The model must see what it was trained on; images may have to be turned."""
    from stable_baselines3.common.vec_env import VecTransposeImage

    if model.observation_space == venv.observation_space:
        return venv
    if len(venv.observation_space.shape or ()) == 3:
        turned = VecTransposeImage(venv)
        if model.observation_space == turned.observation_space:
            return turned
    raise Refused(
        f"the model was trained on {model.observation_space}, and the environment gives {venv.observation_space}: "
        "let the task's `entry` be a function that wraps the environment as training does"
    )


def untrained_predict(trial, venv):
    import numpy

    act = untrained(trial.policy, venv.action_space)
    return lambda observations, **_: (numpy.array([act() for _ in range(venv.num_envs)]), None)


def play(trial, venv, predict):
    """All environments side by side, as evaluate_policy plays them: the same seed gives the same episodes."""
    import numpy

    episodes = Episodes(trial)
    observations, states, starts = venv.reset(), None, numpy.ones(venv.num_envs, dtype=bool)
    while not episodes.are_complete:
        actions, states = predict(observations, state=states, episode_start=starts, deterministic=trial.deterministic)
        observations, _, starts, infos = venv.step(actions)
        for env in numpy.flatnonzero(starts):
            info = infos[env]
            cause = cause_of(info.get("TimeLimit.truncated", False), info)
            episodes.add(int(env), total=info["episode"]["r"], length=info["episode"]["l"], cause=cause, success=info.get("is_success"))
    return episodes


if __name__ == "__main__":
    run(main)
