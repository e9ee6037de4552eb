"""A C module: the functions of one Program or of several that share their setup, and what they are called and take."""

from collections.abc import Mapping
from dataclasses import dataclass

from armillary.errors import TargetError
from armillary.program.package import Package
from armillary.program.program import Input, Program
from armillary.targets.c.function import Argument, of_output, taken
from armillary.targets.c.operations import LIBRARY, RESERVED, Precision
from armillary.targets.names import Namer
from armillary.targets.stages import constant_names, stages

FILES = frozenset(("example", "all", "clean", "help", "install", "package", "test"))
"""Names that the files beside the module, or the tools that build them, have taken."""


@dataclass(frozen=True)
class Run:
    """One function from states to outputs: its name, its Program, and the name of the argument of each state and output."""

    name: str
    program: Program
    names: Mapping[str, str]


@dataclass(frozen=True)
class Module:
    """Programs as C functions.

    Parameters are the fields of one struct. Where there are states too, `setup` does the work on parameters once and fills a
    second struct, the constants, which every run takes in place of the parameters. `fields` gives the field of each
    parameter's label, `carried` the fields of the constants; `pointer` and `constants` are the arguments of those structs.
    """

    name: str
    precision: Precision
    source: Program | Package
    runs: tuple[Run, ...]
    setup: Program | None
    parameters: tuple[Input, ...]
    fields: Mapping[str, str]
    carried: tuple[str, ...]
    pointer: str
    constants: str

    @property
    def real(self) -> str:
        return self.precision.real

    @property
    def has_defaults(self) -> bool:
        return bool(self.fields) and all(x.default is not None for x in self.parameters)

    # ---- arguments ----

    @property
    def parameters_type(self) -> str:
        return f"{self.name}_parameters"

    @property
    def constants_type(self) -> str:
        return f"{self.name}_constants"

    def parameters_argument(self, const: bool = True) -> Argument:
        return Argument(self.pointer, f"{'const ' if const else ''}{self.parameters_type} *", "", "the parameters")

    def constants_argument(self, const: bool) -> Argument:
        what = f"what {self.name}_setup has worked out" if const else "what depends on the parameters alone"
        return Argument(self.constants, f"{'const ' if const else ''}{self.constants_type} *", "", what)

    def setup_arguments(self) -> list[Argument]:
        return [self.parameters_argument(), self.constants_argument(const=False)]

    def run_arguments(self, run: Run) -> list[Argument]:
        arguments = [taken(run.names[x.name], x, self.real) for x in run.program.states]
        if self.setup is not None:
            arguments.append(self.constants_argument(const=True))
        elif self.fields:
            arguments.append(self.parameters_argument())
        return arguments + [of_output(run.names[x.name], x, self.real) for x in run.program.outputs]

    def input_texts(self, run: Run) -> list[str]:
        """How a run writes the elements of its inputs."""
        texts: list[str] = []
        for x in run.program.inputs:
            if x.role == "state":
                texts += element_names(run.names[x.name], x.shape)
            elif self.setup is not None:
                texts += [f"{self.constants}->{field}" for field in self.carried]
            else:
                texts += self.parameter_texts([x])
        return texts

    def parameter_texts(self, inputs: tuple[Input, ...] | list[Input]) -> list[str]:
        """How elements of parameters are written."""
        return [f"{self.pointer}->{self.fields[label]}" for x in inputs for label in x.labels]


def module(source: Program | Package, name: str = "", real: str = "double") -> Module:
    """The C module of a Program, cut into setup and run where it has both parameters and states, or of a Package."""
    if isinstance(source, Package) and not name:
        raise TargetError("a C module of several Programs needs a name: give the option name='...'")
    cut = stages(source)
    own = Namer(RESERVED | LIBRARY | FILES).name(name or cut.runs[0].name)
    reserved = RESERVED | names_of_module(own)
    functions = Namer(reserved | LIBRARY)
    called = [functions.name(p.name) for p in cut.runs] if isinstance(source, Package) else [own]
    reserved |= set(called)
    runs: list[Run] = []
    for function, p in zip(called, cut.runs, strict=True):
        namer = Namer(reserved)
        runs.append(Run(function, p, {x.name: namer.name(x.name) for x in (*p.states, *p.outputs)}))
    pointers = Namer(reserved | {word for run in runs for word in run.names.values()})
    fields = Namer(reserved)
    return Module(
        own,
        Precision(real),
        source,
        tuple(runs),
        cut.setup,
        cut.parameters,
        {label: fields.name(label) for x in cut.parameters for label in x.labels},
        constant_names(cut.setup, reserved, letter="c") if cut.setup is not None else (),
        pointers.name("p"),
        pointers.name("k"),
    )


def names_of_module(name: str) -> frozenset[str]:
    """What the module of this name defines for all who include it."""
    endings = ("", "_setup", "_defaults", "_parameters", "_constants", "_status")
    return frozenset((*(name + ending for ending in endings), f"{name.upper()}_H"))


def element_names(name: str, shape: tuple[int, ...]) -> list[str]:
    """`name` itself for a scalar, `name[k]` for the elements of an array, row by row."""
    size = 1
    for n in shape:
        size *= n
    return [f"{name}[{k}]" for k in range(size)] if shape else [name]


def output_places(name: str, shape: tuple[int, ...]) -> list[str]:
    """Where the elements of an output go: `*name` for a scalar, `name[k]` for the elements of an array."""
    size = 1
    for n in shape:
        size *= n
    return [f"{name}[{k}]" for k in range(size)] if shape else [f"*{name}"]
