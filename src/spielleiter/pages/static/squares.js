// Squares that are chosen as the answer to a question: a single one at once, several with a button.
import { report, send } from "./table.js";

export class SquareChoice {
  constructor(board) {
    this.board = board;
    this.mine = false;
    this.chosen = new Set();
    this.button = document.getElementById("check");
    board.svg.addEventListener("click", (event) => this.#toggle(event.target.closest(".cell")));
    board.svg.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.#toggle(event.target.closest(".cell"));
      }
      if (event.key === "Escape" && this.mine) {
        this.chosen.clear();
        this.#draw();
      }
    });
    this.button?.addEventListener("click", () => this.#check());
  }

  update(play) {
    this.mine = play.mine;
    this.single = play.single;
    this.chosen.clear();
    this.board.update(play);
    if (this.button) this.button.hidden = !this.mine || this.single;
  }

  #toggle(cell) {
    if (!this.mine || !cell) return;
    if (this.single) this.chosen.clear();
    if (!this.chosen.delete(cell.key)) this.chosen.add(cell.key);
    report("");
    this.#draw();
    if (this.single) this.#check();
  }

  #draw() {
    this.board.clear();
    for (const [key, cell] of this.board.cells) {
      if (this.chosen.has(key)) {
        cell.setAttribute("aria-selected", "true");
        this.board.frame(key, "chosen");
      } else cell.removeAttribute("aria-selected");
    }
  }

  #check() {
    const names = [...this.chosen].map((key) => this.board.cells.get(key).squareName);
    send({ squares: names.join(" ") });
  }
}
