"""The launch configurations, read by accelerate itself."""

from __future__ import annotations

import sys

import pytest

from novum.training.finetuning.job import TuningJob
from novum.training.launching.command import Nodes, command_line, configuration
from novum.training.launching.fitting import LAUNCHES, Machine
from novum.training.recipes import read_recipe

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")]
SEVERAL = [each for each in LAUNCHES if each != "one"]


@pytest.mark.parametrize("launch", SEVERAL)
def test_accelerate_knows_every_key_of_a_configuration(launch):
    from accelerate.commands.config.config_args import ClusterConfig, load_config_from_file

    file = str(configuration(launch))
    assert isinstance(load_config_from_file(file), ClusterConfig)
    assert ClusterConfig.from_yaml_file(file).distributed_type.name == {"ddp": "MULTI_GPU", "fsdp": "FSDP"}.get(
        launch, "DEEPSPEED"
    )


@pytest.mark.parametrize("launch", SEVERAL)
def test_every_setting_of_a_configuration_is_an_option_of_accelerate_launch(launch):
    from accelerate.commands.config.config_args import load_config_from_file
    from accelerate.commands.launch import launch_command_parser

    loaded = load_config_from_file(str(configuration(launch)))
    options = {action.dest for action in launch_command_parser()._actions}
    assert set(loaded.fsdp_config) <= options
    assert {key.replace("deepspeed_config_", "") for key in loaded.deepspeed_config} <= options


@pytest.mark.parametrize("nodes", [Nodes(), Nodes(2, 1, "10.0.0.1:29500")])
@pytest.mark.parametrize("launch", SEVERAL)
def test_accelerate_understands_our_command_line(launch, nodes, tmp_path):
    from accelerate.commands.launch import launch_command_parser

    job = TuningJob(
        name="m", data="d", digest="d", recipe=read_recipe("7b"), models_folder="m", launch=launch, processes=8
    )
    words = command_line(job, tmp_path, Machine(True, 64, frozenset()), 5, nodes).words
    arguments = launch_command_parser().parse_args(list(words[3:]))
    assert (arguments.num_processes, arguments.mixed_precision, arguments.module) == (8, "bf16", True)
    assert arguments.training_script == "novum.training.finetuning"
    assert arguments.training_script_args == [str(tmp_path), "--max-minutes", "5"]
    assert words[0] == sys.executable


def test_fully_sharded_settings_make_a_plugin():
    from accelerate import FullyShardedDataParallelPlugin
    from accelerate.commands.config.config_args import load_config_from_file

    loaded = load_config_from_file(str(configuration("fsdp"))).fsdp_config
    plugin = FullyShardedDataParallelPlugin(
        fsdp_version=loaded["fsdp_version"], reshard_after_forward=loaded["fsdp_reshard_after_forward"],
        auto_wrap_policy=loaded["fsdp_auto_wrap_policy"], state_dict_type=loaded["fsdp_state_dict_type"],
        cpu_ram_efficient_loading=loaded["fsdp_cpu_ram_efficient_loading"],
    )  # fmt: skip
    assert plugin.fsdp_version == 2
