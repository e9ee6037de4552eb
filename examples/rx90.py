"""The whole way, once: derive the inverse dynamics of the Stäubli RX-90, write it as C, compile it, run a batch."""

import time
from pathlib import Path

import numpy as np

import armillary as arm

OUT = Path("build/rx90")
BATCH = 100_000


def main() -> None:
    robot = arm.load("rx90")
    start = time.perf_counter()
    model = robot.inverse_dynamics(base_parameters=True)
    derived = time.perf_counter() - start
    print(model)
    print(f"  derived  in {1e3 * derived:.1f} ms\n")

    for file in model.write("c", OUT):
        print(f"wrote {file} ({len(file.read_text().splitlines())} lines)")

    rng = np.random.default_rng(0)
    parameters = {x.name: x.default[0] if x.default else rng.uniform(0.1, 1.0) for x in model.parameters}
    start = time.perf_counter()
    torques = model.compile(parameters=parameters, threads=1)
    print(f"\ncompiled in {1e3 * (time.perf_counter() - start):.1f} ms (kept: the next time takes about one)")

    q, qd, qdd = rng.uniform(-1, 1, (3, BATCH, 6))
    tau = torques(q, qd, qdd)
    seconds = min(timed(lambda: torques(q, qd, qdd, out=tau)) for _ in range(20))
    print(f"{BATCH:,} states in {1e3 * seconds:.2f} ms on one core: {1e9 * seconds / BATCH:.1f} ns each")

    expected = model.evaluate(q=q[:100], qd=qd[:100], qdd=qdd[:100], **parameters)["tau"]
    print(
        f"largest difference from the reference interpreter, over 100 of them: {np.abs(tau[:100] - expected).max():.1e} N·m"
    )


def timed(run) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
