#!/bin/sh
# Prints the first handouts into output/: setup/handouts.sh
# PAPER names their paper, a4 or letter; without it the locale decides. VENV names the environment (.venv).
set -eu

cd "$(dirname "$0")/.."
fieldpress=${VENV:-.venv}/bin/fieldpress
battle=bond-store-nine

choose_paper() {
    case ${PAPER:+named}${LC_ALL:-${LC_PAPER:-${LANG:-}}} in
        named*) paper=$PAPER ;;
        *_US* | *_CA* | *_MX* | *_PH* | *_PR* | *_CL* | *_CO* | *_CR* | *_GT* | *_NI* | *_PA* | *_SV* | *_VE*) paper=letter ;;
        *) paper=a4 ;;
    esac
}

choose_paper
echo "A play sheet for each game, and a finished battle, on $paper. This takes about half a minute."
"$fieldpress" build dirtside2 stargrunt2 fma-skirmish sla-3d --only play --paper "$paper" --out output
"$fieldpress" build "$battle" --paper "$paper" --out output
cat <<END

The PDFs are in $(pwd)/output. Next:
  make handouts PAPER=$([ "$paper" = a4 ] && echo letter || echo a4)   the same on the other paper
  make everything              every sheet, card and battle, on both papers
  $fieldpress rules      what else there is: rule sets and finished battles
  $fieldpress new my-force dirtside2      a force of your own
END
