# The Stable-Baselines3 side of the PPO benchmark: the same sizes on CartPole-v1; prints one JSON line.
# python sb3_ppo.py '{"envs":8,"rollouts":256,"epochs":10,"miniBatch":256,"hidden":[64,64],"seconds":4,"seed":1,"threads":1}'
import json
import sys
import time

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

wish = json.loads(sys.argv[1])
torch.set_num_threads(wish["threads"])
env = make_vec_env("CartPole-v1", n_envs=wish["envs"], seed=wish["seed"])
model = PPO(
    "MlpPolicy",
    env,
    learning_rate=3e-4,
    n_steps=wish["rollouts"],
    batch_size=wish["miniBatch"],
    n_epochs=wish["epochs"],
    seed=wish["seed"],
    device="cpu",
    policy_kwargs={"net_arch": {"pi": wish["hidden"], "vf": wish["hidden"]}, "activation_fn": torch.nn.Tanh},
)


class Timer(BaseCallback):
    """Counts from the end of the first update on, and ends at the first rollout after the time is up."""

    def __init__(self):
        super().__init__()
        self.started = None
        self.first = 0

    def _on_rollout_start(self):
        if self.num_timesteps == 0:
            return
        if self.started is None:
            self.started, self.first = time.perf_counter(), self.num_timesteps
        self.seconds = time.perf_counter() - self.started
        self.steps = self.num_timesteps - self.first

    def _on_step(self):
        return self.started is None or time.perf_counter() - self.started < wish["seconds"] or self.steps == 0


timer = Timer()
model.learn(10**9, callback=timer)
print(json.dumps({"stepsPerS": timer.steps / timer.seconds, "steps": timer.steps, "seconds": timer.seconds, "torch": torch.__version__}))
