"""Evaluates any policy in a gymnasium environment and writes evaluation.json. Runs in the user's interpreter, beside rlxp_edge.py.

Usage: gym_evaluate.py trial.json --policy FILE.py#load. `load(checkpoint, env, device)` gives a function from observation to action;
where it takes `deterministic`, it is told whether to sample.
"""

import argparse
import inspect
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from rlxp_edge import Trial, capped, describe, find_normalizer, load_object, play, run, untrained


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trial_json")
    parser.add_argument("--policy", required=True)
    parser.add_argument("--normalizer", default="none", help="glob of the statistics; `load` gets the file as `normalizer`")
    args = parser.parse_args()
    trial = Trial(args.trial_json)
    envs = [capped(trial.make_env(), trial.max_steps) for _ in range(trial.num_envs)]
    for index, env in enumerate(envs):
        env.action_space.seed(trial.seed + index)
    if trial.policy == "checkpoint":
        path = trial.checkpoint()
        load = load_object(args.policy)
        more = {"deterministic": trial.deterministic} if "deterministic" in inspect.signature(load).parameters else {}
        if args.normalizer != "none":
            more["normalizer"] = find_normalizer(trial, path, args.normalizer)
        act = load(path, envs[0], trial.device, **more)
        checkpoint, normalizer = describe(trial, path, 0), "none" if args.normalizer == "none" else "present"
        episodes = play(trial, envs, lambda observation, _: act(observation))
    else:
        checkpoint, normalizer = None, "none"
        policies = {id(env): untrained(trial.policy, env.action_space) for env in envs}
        episodes = play(trial, envs, lambda _, env: policies[id(env)]())
    episodes.write(checkpoint, normalizer)
    for env in envs:
        env.close()


if __name__ == "__main__":
    run(main)
