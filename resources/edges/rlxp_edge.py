"""What the evaluation scripts beside this file share: the trial, the environment, the episodes. Runs in the user's interpreter.

Nothing of ours has to be installed there; gymnasium is imported only where an environment is made.
"""

import glob
import hashlib
import importlib.util
import json
import math
import os
import re
import sys
import time


class Refused(Exception):
    """An evaluation that would prove nothing; its text is for a person."""


def run(main):
    """Calls `main`; a refusal becomes one line, the last one, and exit code 1."""
    try:
        main()
    except Refused as refusal:
        print(f"refused: {refusal}", file=sys.stderr, flush=True)
        sys.exit(1)


class Trial:
    """One trial.json. Paths in it are relative to its folder."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.values = json.load(file)
        self.folder = os.path.dirname(os.path.abspath(path))
        evaluation = self.values["evaluation"]
        self.policy = evaluation["policy"]
        self.env_cfg = evaluation["env_cfg"]
        self.num_envs = evaluation["num_envs"]
        self.max_steps = evaluation["max_steps"]
        self.episodes_per_env = evaluation["episodes_per_env"]
        self.seed = evaluation["seed"]
        self.deterministic = evaluation["deterministic"]
        self.device = self.values["device"]

    def checkpoint(self):
        given = self.values["checkpoint"]
        if given is None:
            raise Refused("trial.json names no checkpoint")
        path = os.path.join(self.folder, given)
        if not os.path.isfile(path):
            raise Refused(f"the checkpoint {given} is not there")
        return path

    def make_env(self):
        """The task's environment under its canonical settings: `./file.py#function`, or a registered id such as CartPole-v1."""
        entry, root = self.values["entry"], self.values["entry_root"]
        if "#" in entry or entry.startswith("."):
            return load_object(os.path.join(root, entry))(**self.env_cfg)
        import gymnasium

        return gymnasium.make(entry, **self.env_cfg)


def load_object(spec):
    """`/path/to/file.py#name`. The file's folder is where its own imports are looked for, as when it is started."""
    path, _, name = spec.partition("#")
    if not os.path.isfile(path):
        raise Refused(f"{path} is not there")
    if name == "":
        raise Refused(f"{spec} names no function: write {os.path.basename(path)}#name")
    found = getattr(load_file(path), name, None)
    if found is None:
        raise Refused(f"{os.path.basename(path)} has no {name}")
    return found


def load_file(path):
    """The file as a module under its own name, so that what stands under `if __name__ == "__main__"` does not run."""
    name = os.path.splitext(os.path.basename(path))[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def capped(env, max_steps):
    """Cuts an episode after `max_steps`; where the environment's own limit lies at that step, it is the environment's."""
    import gymnasium

    class StepCap(gymnasium.Wrapper):
        def reset(self, **options):
            self.steps = 0
            return self.env.reset(**options)

        def step(self, action):
            observation, reward, terminated, truncated, info = self.env.step(action)
            self.steps += 1
            if self.steps >= max_steps and not (terminated or truncated):
                truncated = True
                info = {**info, "rlxp_cut": True}
            return observation, reward, terminated, truncated, info

    return StepCap(env)


def cause_of(truncated, info):
    """What every environment tells without being asked."""
    if info.get("rlxp_cut"):
        return "unfinished"
    return "time_out" if truncated else "terminated"


class Episodes:
    """The first `episodes_per_env` episodes of every environment, and evaluation.json."""

    def __init__(self, trial):
        self.trial = trial
        self.rows = [[] for _ in range(trial.num_envs)]
        self.told = 0.0

    def wants(self, env):
        return len(self.rows[env]) < self.trial.episodes_per_env

    @property
    def are_complete(self):
        return not any(self.wants(env) for env in range(self.trial.num_envs))

    def add(self, env, *, total, length, cause, success=None):
        if not self.wants(env):
            return
        row = {"env": env, "episode": len(self.rows[env]), "return": wire(total), "length": int(length), "cause": cause}
        if success is not None:
            row["success"] = bool(success)
        self.rows[env].append(row)
        if time.monotonic() - self.told >= 0.5 or self.are_complete:
            self.told = time.monotonic()
            print(f"evaluated {sum(map(len, self.rows))} of {self.trial.num_envs * self.trial.episodes_per_env} episodes", flush=True)

    def write(self, checkpoint, normalizer):
        trial = self.trial
        value = {
            "schema": 1,
            "policy": trial.policy,
            "checkpoint": checkpoint,
            "normalizer": normalizer,
            "num_envs": trial.num_envs,
            "episodes_per_env": trial.episodes_per_env,
            "max_steps": trial.max_steps,
            "seed": trial.seed,
            "deterministic": trial.deterministic,
            "episodes": [row for rows in self.rows for row in rows],
        }
        path = os.path.join(trial.folder, trial.values["evaluation_file"])
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(value, file, allow_nan=False)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".tmp", path)


def wire(number):
    """JSON has no NaN and no infinity: they travel as text."""
    number = float(number)
    if math.isnan(number):
        return "NaN"
    return number if math.isfinite(number) else ("Infinity" if number > 0 else "-Infinity")


def describe(trial, path, step):
    with open(path, "rb") as file:
        return {"path": os.path.relpath(path, trial.folder), "sha256": hashlib.sha256(file.read()).hexdigest(), "step": int(step)}


def find_normalizer(trial, checkpoint, pattern):
    """The statistics that go with `checkpoint`: those of its step where its name holds one, else the only ones without a step."""
    owner = folder_of_trial(checkpoint) or trial.folder
    found = sorted(glob.glob(os.path.join(glob.escape(owner), pattern), recursive=True))
    step = last_number(checkpoint)
    fitting = [path for path in found if last_number(path) == step]
    name = os.path.relpath(checkpoint, owner)
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        raise Refused(f"the observation statistics of {name} are missing: no file fits `{pattern}`{'' if step is None else f' and step {step}'}")
    raise Refused(f"several files may hold the observation statistics of {name}: {', '.join(os.path.relpath(path, owner) for path in fitting)}")


def folder_of_trial(checkpoint):
    """The folder of the trial that saved it: an evaluation of its own (the self-test's, a replay) runs in another one."""
    folder = os.path.dirname(os.path.abspath(checkpoint))
    while not os.path.isfile(os.path.join(folder, "trial.json")):
        if os.path.dirname(folder) == folder:
            return None
        folder = os.path.dirname(folder)
    return folder


def last_number(path):
    numbers = re.findall(r"\d+", os.path.splitext(os.path.basename(path))[0])
    return int(numbers[-1]) if numbers else None


def untrained(policy, space):
    """What the self-test plays: `random`, or `zero`: the smallest action of a discrete space, 0 of the others, within their bounds."""
    import numpy

    if policy == "random":
        return lambda: space.sample()
    if hasattr(space, "low") and hasattr(space, "high"):
        still = numpy.clip(numpy.zeros(space.shape, space.dtype), space.low, space.high)
    elif hasattr(space, "n") and hasattr(space, "start"):
        still = space.start
    else:
        still = numpy.zeros_like(space.sample())
    return lambda: still


def play(trial, envs, act):
    """Plays one environment after the other, seeds `seed`, `seed + 1`, and so on; `act(observation, env)` gives an action."""
    episodes = Episodes(trial)
    for index, env in enumerate(envs):
        seed = trial.seed + index
        while episodes.wants(index):
            observation, _ = env.reset(seed=seed)
            seed = None
            total, length, is_over = 0.0, 0, False
            while not is_over:
                observation, reward, terminated, truncated, info = env.step(act(observation, env))
                total, length, is_over = total + float(reward), length + 1, terminated or truncated
            kept = info.get("episode", {})
            episodes.add(
                index,
                total=first(kept.get("r", total)),
                length=first(kept.get("l", length)),
                cause=cause_of(truncated and not terminated, info),
                success=info.get("is_success"),
            )
    return episodes


def first(value):
    """A number that some versions of a wrapper keep in an array of one."""
    return value.item() if hasattr(value, "item") else value
