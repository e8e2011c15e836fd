"""The command line and the environment variables of a training."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from novum.errors import BadInput
from novum.training.finetuning.job import Launch
from novum.training.finetuning.stopping import PARENT
from novum.training.launching.fitting import Machine, WithPrecision

CONFIGURATIONS = Path(__file__).with_name("configurations")
_MODULE = "novum.training.finetuning"
_MIXED = {"fp32": "no", "bf16": "bf16", "fp16": "fp16"}


@dataclass(frozen=True)
class Nodes:
    """A cluster of machines: how many, the number of this one, and the address of the first (`HOST:PORT`)."""

    number: int = 1
    this: int = 0
    main: str = ""


@dataclass(frozen=True)
class CommandLine:
    """A command. `variables` are added to the environment."""

    words: tuple[str, ...]
    variables: Mapping[str, str]

    def __str__(self) -> str:
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.variables.items() if name != PARENT]
        return " ".join([*variables, shlex.join(self.words)])


def configuration(launch: Launch) -> Path:
    """The accelerate configuration of a launch; there is none for `one`."""
    return CONFIGURATIONS / f"{launch}.yaml"


class LaunchedJob(Protocol):
    """What a launch needs to know of a job."""

    @property
    def launch(self) -> Launch: ...

    @property
    def processes(self) -> int: ...

    @property
    def recipe(self) -> WithPrecision: ...


def command_line(
    job: LaunchedJob,
    folder: Path,
    machine: Machine,
    max_minutes: float | None = None,
    nodes: Nodes | None = None,
    module_name: str = _MODULE,
) -> CommandLine:
    """The command of a training: one process directly, several through accelerate, or through torch without GPUs.

    `module_name`: the module that the processes run. Raises BadInput for an invalid cluster.
    """
    module = [module_name, str(folder.absolute()), *(["--max-minutes", f"{max_minutes:g}"] if max_minutes else [])]
    nodes = nodes or Nodes()
    _check_nodes(job, machine, nodes)
    return CommandLine((sys.executable, "-m", *_launcher(job, machine, nodes), *module), _variables(job, machine))


def _launcher(job: LaunchedJob, machine: Machine, nodes: Nodes) -> Sequence[str]:
    if job.launch == "one":
        return ()
    if (
        job.launch == "ddp" and not machine.cards and not is_for_gpus(job)
    ):  # on CPUs accelerate only starts processes through MPI
        return ("torch.distributed.run", "--standalone", f"--nproc-per-node={job.processes}", "-m")
    address = nodes.main.rpartition(":")
    several = [f"--num_machines={nodes.number}", f"--machine_rank={nodes.this}",
               f"--main_process_ip={address[0]}", f"--main_process_port={address[2]}"]  # fmt: skip
    return (
        "accelerate.commands.launch", f"--config_file={configuration(job.launch)}",
        f"--num_processes={job.processes}", f"--mixed_precision={_MIXED[job.recipe.precision.compute]}",
        *(several if nodes.number > 1 else ()), "-m",
    )  # fmt: skip


def is_for_gpus(job: LaunchedJob) -> bool:
    """Whether a job cannot run on processors: by its recipe, or since its launch shards weights among GPUs."""
    return job.recipe.device.kind == "gpu" or job.launch not in {"one", "ddp"}


def _variables(job: LaunchedJob, machine: Machine) -> dict[str, str]:
    variables = {PARENT: str(os.getpid()), "TOKENIZERS_PARALLELISM": "false", "HF_HUB_DISABLE_TELEMETRY": "1"}
    if not machine.cards and not is_for_gpus(job):
        # Threads that wait actively would take cores from those that compute.
        variables |= {"ACCELERATE_USE_CPU": "true", "OMP_WAIT_POLICY": "passive"}
        variables["OMP_NUM_THREADS"] = str(max(1, machine.cores // job.processes))
    return variables


def _check_nodes(job: LaunchedJob, machine: Machine, nodes: Nodes) -> None:
    if nodes.number == 1:
        return
    host, mark, port = nodes.main.rpartition(":")
    if job.launch == "one":
        raise BadInput("--launch one is one process on one machine: choose ddp, fsdp, deepspeed-2 or deepspeed-3.")
    if not machine.cards and not is_for_gpus(job):
        raise BadInput(f"--nodes {nodes.number} needs GPUs, and this machine has none: omit it.")
    if not 0 <= nodes.this < nodes.number:
        raise BadInput(f"--node {nodes.this}: machines are numbered from 0 to {nodes.number - 1}.")
    if not mark or not host or not port.isdecimal():
        raise BadInput("--main-node names the first machine as HOST:PORT, such as 10.0.0.1:29500.")
    if job.processes % nodes.number:
        raise BadInput(f"--processes {job.processes} is the total of {nodes.number} machines: choose a multiple.")
