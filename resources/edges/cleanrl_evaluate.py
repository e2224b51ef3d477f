"""Evaluates the network of a single-file script in CleanRL's style and writes evaluation.json. Runs in the user's interpreter.

The script is imported, not changed: its `make_env` makes the environments, its `Agent` (or `QNetwork`, `Actor`) takes the saved weights.
Usage: cleanrl_evaluate.py trial.json --script ppo.py [--agent Agent]
"""

import argparse
import inspect
import os
import sys
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from rlxp_edge import Refused, Trial, capped, describe, load_file, play, run, untrained


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trial_json")
    parser.add_argument("--script", required=True)
    parser.add_argument("--agent", default=None, help="class that takes the saved weights; otherwise Agent, QNetwork or Actor")
    args = parser.parse_args()
    trial = Trial(args.trial_json)

    import torch

    torch.set_num_threads(1)
    torch.manual_seed(trial.seed)
    if not os.path.isfile(args.script):
        raise Refused(f"the script {args.script} is not there")
    # Scripts may read sys.argv when they are imported.
    sys.argv = [args.script]
    script = load_file(args.script)
    envs = [make_env(trial, script, index) for index in range(trial.num_envs)]
    for index, env in enumerate(envs):
        env.action_space.seed(trial.seed + index)
    if trial.policy == "checkpoint":
        path = trial.checkpoint()
        for wrapper in wrappers_of(envs[0]):
            if hasattr(wrapper, "obs_rms"):
                raise Refused(f"the script normalises observations ({type(wrapper).__name__}), and its checkpoint does not hold the statistics: an evaluation without them proves nothing")
        act = load_policy(trial, script, envs[0], path, args.agent)
        checkpoint = describe(trial, path, 0)
        episodes = play(trial, envs, lambda observation, _: act(observation))
    else:
        checkpoint = None
        policies = {id(env): untrained(trial.policy, env.action_space) for env in envs}
        episodes = play(trial, envs, lambda _, env: policies[id(env)]())
    episodes.write(checkpoint, "none")
    for env in envs:
        env.close()


def make_env(trial, script, index):
    """By the script's own `make_env`, which gives a function without arguments; without one, the plain environment."""
    maker = getattr(script, "make_env", None)
    if maker is None:
        env = trial.make_env()
    else:
        known = {"env_id": trial.values["entry"], "seed": trial.seed + index, "idx": index, "capture_video": False, "run_name": "evaluation", "gamma": 0.99, **trial.env_cfg}
        wanted = inspect.signature(maker).parameters
        for name in trial.env_cfg:
            if name not in wanted:
                raise Refused(f"the script's make_env takes no `{name}`, so the task's canonical setting cannot be put back")
        for name, parameter in wanted.items():
            if name not in known and parameter.default is inspect.Parameter.empty:
                raise Refused(f"the script's make_env wants `{name}`, which nothing here can give")
        made = maker(**{name: known[name] for name in wanted if name in known})
        env = made() if callable(made) and not hasattr(made, "step") else made
    names = [type(wrapper).__name__ for wrapper in wrappers_of(env)]
    if "RecordEpisodeStatistics" not in names and any("Reward" in name for name in names):
        raise Refused(f"rewards are changed by a wrapper ({', '.join(names)}) and no RecordEpisodeStatistics keeps the true ones")
    return capped(env, trial.max_steps)


def wrappers_of(env):
    while hasattr(env, "env"):
        yield env
        env = env.env


def load_policy(trial, script, env, path, name):
    import torch

    names = [name] if name else ["Agent", "QNetwork", "Actor"]
    network_class = next((getattr(script, one) for one in names if hasattr(script, one)), None)
    if network_class is None:
        raise Refused(f"the script has no class {' or '.join(names)}: name the one that takes the weights with --agent")
    spaces = {"observation_space": env.observation_space, "action_space": env.action_space}
    # What such a class asks of vectorised environments.
    vectorised = types.SimpleNamespace(num_envs=1, single_observation_space=env.observation_space, single_action_space=env.action_space, **spaces)
    network = network_class(vectorised).to(trial.device)
    try:
        saved = torch.load(path, map_location=trial.device, weights_only=True)
        network.load_state_dict(saved[0] if isinstance(saved, (tuple, list)) else saved)
    except Exception as error:
        raise Refused(f"the weights of {os.path.basename(path)} do not fit {network_class.__name__}: {str(error).splitlines()[0]}") from error
    network.eval()
    if trial.deterministic:
        take_modes()
    return lambda observation: action_of(trial, network, env, observation)


def take_modes():
    """A policy that samples becomes deterministic: every distribution gives its most likely value."""
    from torch.distributions import Categorical, Normal

    for distribution in (Categorical, Normal):
        distribution.sample = distribution.rsample = lambda self, sample_shape=(): self.mode


def action_of(trial, network, env, observation):
    import numpy
    import torch

    batch = torch.as_tensor(numpy.asarray(observation), device=trial.device).unsqueeze(0)
    if batch.dtype == torch.float64:
        batch = batch.float()
    with torch.no_grad():
        if hasattr(network, "get_action_and_value"):
            action = network.get_action_and_value(batch)[0]
        elif hasattr(network, "get_action"):
            action = network.get_action(batch)
            action = action[0] if isinstance(action, tuple) else action
        else:
            action = network(batch)
            if hasattr(env.action_space, "n"):
                action = action.argmax(dim=-1)
    action = action[0].cpu().numpy()
    return action.item() if action.ndim == 0 else action


if __name__ == "__main__":
    run(main)
