"""Record what every sheet says, for ``fieldpress build --since``: run it when an edition is released.

Its argument is the day of the release; the edition is that of the package.
"""

import json
import sys

from generator import __version__
from generator.commands.access import open_library
from generator.commands.jobs import EVERYTHING, RECORD, Job
from generator.commands.printing import jobs_of
from generator.resources import rulesdata

marks = {job.stem: job.paper.mark() for job in jobs_of(open_library(), ["all"], EVERYTHING) if isinstance(job, Job)}
record = rulesdata() / RECORD
editions = json.loads(record.read_text("utf-8")) if record.exists() else []
editions = [item for item in editions if item["edition"] != __version__]
editions.append({"edition": __version__, "date": sys.argv[1], "marks": marks})
record.write_text(json.dumps(editions, indent=1) + "\n", "utf-8")
