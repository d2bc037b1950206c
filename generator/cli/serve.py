"""``fieldpress serve``."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.options import Named, Number, guarded, once


@click.command()
@click.argument("folder", default="output/web", type=Named("the folder of a site"), metavar="[FOLDER]")
@once("--port", type=Number(1, 65535, 8000), metavar="PORT", default=8000, show_default=True, help="The port.")
@guarded
def serve(*, folder: Path, port: int) -> None:
    """Serve a site of fieldpress web to phones in the local network, until Ctrl-C.

    Only pages of the folder are served. Everybody in the network can read them.
    """
    from generator.commands.server import addresses, site_server

    server = site_server(folder, port)
    for who, address in addresses(port).items():
        click.echo(f"{address}  {who}")
    click.echo("Ctrl-C stops.")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()
