"""Several models of one robot that share their work on parameters: one setup, then a function a model."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from armillary.errors import ModelError
from armillary.program import Cost, Package, Program, cost, package
from armillary.targets import target


@dataclass(frozen=True)
class Bundle:
    """Models as one module: what depends on parameters alone is computed once for all of them."""

    name: str
    package: Package

    @staticmethod
    def of(name: str, models: Sequence[Program]) -> "Bundle":
        """The models under one name."""
        if not models:
            raise ModelError("a bundle of no models; name at least one")
        return Bundle(name, package(models))

    @property
    def cost(self) -> dict[str, Cost]:
        """Operations of one evaluation of each model, and of the setup that they share."""
        runs = {run.name: cost(run)[0] for run in self.package.runs}
        return {"setup": cost(self.package.setup)[1], **runs}

    def source(self, language: str, **options: object) -> dict[str, str]:
        """The text of every file in a language, by the file's name."""
        return target(language).files(self.package, name=self.name, **options)

    def write(self, language: str, directory: str | os.PathLike[str] = ".", **options: object) -> list[Path]:
        """The same on disk."""
        return target(language).write(self.package, directory, name=self.name, **options)
