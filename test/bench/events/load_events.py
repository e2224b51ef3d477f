"""Loads a run with TensorBoard's own Python loader, every point kept: seconds, and a digest of every series."""
import hashlib
import json
import struct
import sys
import time

from tensorboard.backend.event_processing import event_accumulator

accumulator = event_accumulator.EventAccumulator(sys.argv[1], size_guidance={event_accumulator.SCALARS: 0, event_accumulator.TENSORS: 0})
begin = time.perf_counter()
accumulator.Reload()
seconds = time.perf_counter() - begin
digests = {}
points = 0
for tag in accumulator.Tags()["scalars"]:
    digest = hashlib.sha256()
    for event in accumulator.Scalars(tag):
        digest.update(struct.pack("<ddd", event.step, event.wall_time, event.value))
        points += 1
    digests[tag] = digest.hexdigest()
print(json.dumps({"seconds": seconds, "points": points, "digests": digests}))
