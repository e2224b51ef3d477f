# Reads the same pairs as the verdict did, and simulates plans of its own: numpy and scipy instead of our distributions, generator and code.
# Started by numpy-check.ts; one JSON value in, one out. usage: recount.py <input> <output>
import json
import sys

import numpy as np
from scipy import stats


def bounds(mean, squares, pairs, level):
    """Ends of the paired t interval; `squares`: sum of squares around the mean."""
    half = stats.t.ppf(1 - level / 2, pairs - 1) * np.sqrt(squares / (pairs - 1) / pairs)
    return mean - half, mean + half


def is_hopeless(seen, looks, level):
    """For each row of `seen`: no later look could read better if all that comes were the most favourable number up to the best so far."""
    n = seen.shape[1]
    mean, best = seen.mean(axis=1), seen.max(axis=1)
    squares = ((seen - mean[:, None]) ** 2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        turning = mean + squares / (n * mean)
    future = np.where(mean > 0, np.minimum(best, turning), best)
    hopeless = np.ones(len(seen), dtype=bool)
    for look in (look for look in looks if look > n):
        m = look - n
        later = (n * mean + m * future) / look
        # Sums of squares of two groups, and of their means around the common one.
        total = squares + n * (mean - later) ** 2 + m * (future - later) ** 2
        hopeless &= ~(bounds(later, total, look, level)[0] > 0)
    return hopeless


def read_plans(differences, looks, level):
    """Word, pairs used, mean and interval of each row; every row is as long as the last look."""
    count = len(differences)
    word = np.full(count, "unproven", dtype="<U8")
    used, mean, low, high = np.zeros(count, dtype=int), np.zeros(count), np.zeros(count), np.zeros(count)
    running = np.arange(count)
    for look in looks:
        seen = differences[running, :look]
        centre = seen.mean(axis=1)
        squares = ((seen - centre[:, None]) ** 2).sum(axis=1)
        lower, upper = bounds(centre, squares, look, level)
        used[running], mean[running], low[running], high[running] = look, centre, lower, upper
        word[running] = np.where(lower > 0, "better", np.where(upper < 0, "worse", "unproven"))
        ends = (lower > 0) | (upper < 0) | (False if look == looks[-1] else is_hopeless(seen, looks, level))
        running = running[~ends]
        if len(running) == 0:
            break
    return word, used, mean, low, high


def check_read(case):
    """How many plans read differently here, and the largest relative distance of a number."""
    looks, level = case["looks"], case["level"]
    different, distance = 0, 0.0
    for row in case["rows"]:
        # Pairs that were never run cannot matter: they stand as zeros behind the last one.
        padded = np.zeros((1, looks[-1]))
        padded[0, : len(row["differences"])] = row["differences"]
        word, used, mean, low, high = (column[0] for column in read_plans(padded, looks, level))
        if word != row["word"] or used != row["used"]:
            different += 1
            continue
        scale = max(abs(row["lower"]), abs(row["upper"]))
        distance = max(distance, *(abs(a - b) / scale for a, b in ((mean, row["mean"]), (low, row["lower"]), (high, row["upper"]))))
    return {"name": case["name"], "plans": len(case["rows"]), "different": different, "distance": distance}


def simulate(case, random, plans):
    looks, level, effect = case["looks"], case["level"], case["effect"]
    shape = (plans, looks[-1])
    differences = effect + random.standard_normal(shape) - random.standard_normal(shape)
    word, used, mean, low, high = read_plans(differences, looks, level)
    rates = {"better": word == "better", "worse": word == "worse", "covered": (low <= effect) & (effect <= high), "bias": mean - effect, "pairs": used}
    return {"name": case["name"], "rates": {name: {"value": float(values.mean()), "error": float(values.std() / np.sqrt(plans))} for name, values in rates.items()}}


with open(sys.argv[1]) as file:
    asked = json.load(file)
random = np.random.default_rng(20261201)
answer = {
    "read": [check_read(case) for case in asked["read"]],
    "simulated": [simulate(case, random, asked["plans"]) for case in asked["simulate"]],
    "versions": {"Python": sys.version.split()[0], "numpy": np.__version__, "scipy": __import__("scipy").__version__},
}
with open(sys.argv[2], "w") as file:
    json.dump(answer, file)
