"""The settings of a GRPO training on next-idea tasks. Each setting is described here only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from novum.core.record import Value
from novum.methods.deep_innovator.episode import IDEAS
from novum.training.next_idea.environment.returns import RewardShaping
from novum.training.recipes.reading import RecipeKind
from novum.training.recipes.recipe import DeviceKind, Keeping, Lora, Precision, Schedule

Natural = Annotated[int, Field(ge=1, le=1_000_000_000)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]


class EpisodeRules(Value):
    """How episodes are played during training."""

    ideas: Annotated[int, Field(ge=2, le=IDEAS)] = IDEAS
    """Ideas of an episode, at most; one comment less."""
    copies: Annotated[int, Field(ge=1, le=16)] = 1
    """Continuations of each first idea, whose returns are averaged ("repeat rollouts", Table A1)."""
    loss_on: Literal["all", "first", "refinements"] = "all"
    """Which of the policy's own tokens are trained on: all (equation 2), those of the first idea (released code), or
    those of improved ideas. With `all`, a worse first idea also raises the return."""
    comment_sees_truth: bool = False
    """Show the truth to the comment model, as the published prompt does: its comments can then give the truth away."""
    both_orders: bool = False
    """Score each step twice, with the two ideas exchanged, and average."""
    small_prompts: bool = False
    """Short prompts, for models that cannot follow the usual ones."""


class Roles(Value):
    """Who comments and who rewards."""

    comments: Literal["model", "context"] = "model"
    """`context`: a rule names the signal of the context that the idea is farthest from; needs no model."""
    reward: Literal["model", "similarity", "shuffled"] = "model"
    """`similarity`: cosine with the truth, a stand-in for learning and tests. `shuffled`: the same, exchanged at
    random among the trajectories of a step: a control from which nothing can be learnt."""
    comment_model: str = ""
    """`provider:model`; empty: the first judge of the settings."""
    reward_model: str = ""
    """`provider:model`; empty: the first judge of the settings."""
    watch_model: str = ""
    """An independent judge for the reward-hacking watch, `provider:model`; empty: none."""
    watch_every: Natural = 10
    """Steps between two samples for the independent judge."""
    watch_pairs: Annotated[int, Field(ge=1, le=64)] = 4
    """Pairs of first and last ideas in such a sample."""


class TokenLimits(Value):
    """Lengths in tokens."""

    prompt: Annotated[int, Field(ge=32, le=131_072)] = 8192
    """Tasks with longer prompts are left out ("filter overlong prompts")."""
    response: Annotated[int, Field(ge=8, le=32_768)] = 2048
    """Of one idea."""


class GroupOptimization(Value):
    """GRPO (equation 2) and its optimizer."""

    tasks: Natural = 16
    """Contexts for which trajectories are sampled at once."""
    mini_batch: Natural = 8
    """Contexts in one update of the weights; `tasks` must be a multiple."""
    generations: Annotated[int, Field(ge=2, le=256)] = 8
    """Trajectories for each context (G)."""
    rows: Natural = 1
    """Trajectories in one forward pass of one process."""
    epochs: Annotated[float, Field(gt=0, le=1000)] = 3
    steps: Natural | None = None
    """Updates; overrides `epochs`."""
    kl: Annotated[float, Field(ge=0, le=10)] = 0.001
    """Weight of the divergence from the base (β), by the estimator k3 (`low_var_kl`)."""
    clip_ratio: Annotated[float, Field(gt=0, lt=1)] = 0.2
    """ε in equation 2."""
    temperature: Annotated[float, Field(gt=0, le=5)] = 1.0
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 5e-7
    schedule: Schedule = "constant"
    warmup: Annotated[float, Field(ge=0, le=1)] = 0.0
    weight_decay: Annotated[float, Field(ge=0, le=1)] = 0.0
    clip: Annotated[float, Field(gt=0, le=1_000_000)] = 1.0
    """Largest norm of the gradient."""
    checkpointing: bool = False

    @model_validator(mode="after")
    def _batches_fit(self) -> Self:
        if self.tasks % self.mini_batch:
            raise ValueError("tasks must be a multiple of mini_batch")
        if (self.mini_batch * self.generations) % self.rows:
            raise ValueError("mini_batch * generations must be a multiple of rows")
        return self


class Generation(Value):
    """How trajectories are sampled."""

    engine: Literal["transformers", "vllm-colocate", "vllm-server"] = "transformers"
    """`vllm-…` needs vLLM, on the GPUs of the training or as a server of its own (`trl vllm-serve`)."""
    server: str = ""
    """Address of the vLLM server."""
    memory: Annotated[float, Field(gt=0, lt=1)] = 0.4
    """Share of the GPU memory that vLLM uses in the training processes; 0.7 in the released code."""


class Evaluation(Value):
    """The return on held-out tasks during training."""

    split: Literal["validation", "test", "train"] = "validation"
    tasks: Count = 32
    samples: Annotated[int, Field(ge=1, le=64)] = 1
    """Episodes of each task."""
    times: Annotated[int, Field(ge=1, le=1000)] = 8
    """Evaluations, besides the one before the first step."""


class NextIdeaRecipe(Value):
    """All settings of a training except the data set."""

    about: str = ""
    base: Annotated[str, Field(min_length=1, max_length=1000)]
    """`offline:NAME`, a folder with a model, or its name on the hub."""
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    lora: Lora | None = Lora()
    """None (`lora = false` in a file) trains all weights."""
    episode: EpisodeRules = EpisodeRules()
    roles: Roles = Roles()
    shaping: RewardShaping = RewardShaping()
    lengths: TokenLimits = TokenLimits()
    grpo: GroupOptimization = GroupOptimization()
    generation: Generation = Generation()
    precision: Precision = Precision()
    device: DeviceKind = DeviceKind()
    held_out: Evaluation = Evaluation()
    keeping: Keeping = Keeping()
    check_pairs: Count = 40
    """Real and generated ideas on which the reward model is checked before training (Table A6); 0: no check."""

    @model_validator(mode="before")
    @classmethod
    def _all_weights(cls, data: object) -> object:
        """TOML has no null: `lora = false` means none."""
        return {**data, "lora": None} if isinstance(data, dict) and data.get("lora") is False else data

    @property
    def needs_models(self) -> bool:
        """Whether language models comment, reward or watch."""
        roles = self.roles
        return roles.comments == "model" or roles.reward == "model" or bool(roles.watch_model)


NEXT_IDEA_RECIPES = RecipeKind(
    NextIdeaRecipe, Path(__file__).with_name("presets"), "novum train recipes cpu --for next-idea"
)
