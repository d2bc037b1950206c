"use strict";
const [state, problems, pages] = ["state", "problems", "pages"].map((id) => document.getElementById(id));

// Pictures that stay keep their element, so that the place on the page stays, too.
function place(digests) {
  digests.forEach((digest, index) => {
    const picture = pages.children[index] ?? pages.appendChild(new Image());
    const source = `${digest}.png`;
    if (picture.getAttribute("src") === source) return;
    picture.alt = `Page ${index + 1}`;
    picture.loading = "lazy";
    picture.src = source;
  });
  while (pages.children.length > digests.length) pages.lastChild.remove();
}

async function update() {
  const now = await (await fetch("state")).json();
  if (!now.pages.length) return;
  place(now.pages);
  document.body.classList.toggle("stale", now.stale);
  problems.hidden = !now.problems;
  problems.textContent = now.problems;
  const count = `${now.pages.length} page${now.pages.length === 1 ? "" : "s"}`;
  state.textContent = now.stale ? `Not up to date: ${count} from before the error` : `${count}, built in ${now.seconds} s`;
}

// A page that stays the same keeps its picture, so that nothing flickers.
setInterval(() => update().catch(() => { state.textContent = "The preview has stopped."; }), 100);
