// The editor of the workshop: CodeMirror in the colours of the page, with the names of the chosen game.

/** What the page needs of an editor. */
export class Editor {
  #view;
  #library;
  #marks;

  // ``place`` is where it goes; ``changed`` is called with the code after each change.
  static async open({ address, place, nonce, code, completions, words, changed, run }) {
    const library = await import(address);
    return new Editor(library, { place, nonce, code, completions, words, changed, run });
  }

  constructor(library, { place, nonce, code, completions, words, changed, run }) {
    this.#library = library;
    const cm = library;
    const marks = lineMarks(cm);
    this.#marks = marks;
    this.#view = new cm.EditorView({
      doc: code,
      parent: place,
      extensions: [
        cm.EditorView.cspNonce.of(nonce),
        cm.lineNumbers(),
        cm.highlightActiveLineGutter(),
        cm.highlightActiveLine(),
        cm.history(),
        cm.drawSelection(),
        cm.indentUnit.of("    "),
        cm.EditorState.tabSize.of(4),
        cm.indentOnInput(),
        cm.bracketMatching(),
        cm.closeBrackets(),
        cm.highlightSelectionMatches(),
        cm.python(),
        cm.syntaxHighlighting(colors(cm)),
        // Its own way to place the explanation is an inline style.
        cm.autocompletion({
          override: [names(completions, cm)],
          positionInfo: () => ({ class: "code-info" }),
        }),
        cm.hoverTooltip(explanation(completions)),
        marks.field,
        cm.EditorView.contentAttributes.of({
          "aria-label": words.code,
          spellcheck: "false",
          tabindex: "0",
          autocorrect: "off",
        }),
        cm.EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(this.code);
        }),
        cm.keymap.of([
          { key: "Mod-Enter", run: () => Boolean(run()) },
          { key: "Tab", run: cm.acceptCompletion },
          cm.indentWithTab,
          ...cm.closeBracketsKeymap,
          ...cm.defaultKeymap,
          ...cm.searchKeymap,
          ...cm.historyKeymap,
          ...cm.completionKeymap,
        ]),
        cm.EditorView.theme(look),
      ],
    });
  }

  get code() {
    return this.#view.state.doc.toString();
  }

  set code(text) {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  // Marks a line, or none, and shows it.
  mark(line) {
    const { EditorView } = this.#library;
    const { doc } = this.#view.state;
    const found = line && line <= doc.lines ? doc.line(line) : null;
    const effects = [this.#marks.effect.of(found ? found.from : null)];
    if (found) effects.push(EditorView.scrollIntoView(found.from, { y: "center" }));
    this.#view.dispatch({ effects });
  }

  focus() {
    this.#view.focus();
  }
}

// The line in which something is wrong, until it is changed.
function lineMarks({ Decoration, EditorView, StateEffect, StateField }) {
  const effect = StateEffect.define();
  const mark = Decoration.line({ class: "code-wrong" });
  const field = StateField.define({
    create: () => Decoration.none,
    update(marks, { changes, docChanged, effects }) {
      let found = docChanged ? Decoration.none : marks.map(changes);
      for (const each of effects) {
        if (each.is(effect))
          found = each.value === null ? Decoration.none : Decoration.set([mark.range(each.value)]);
      }
      return found;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  return { effect, field };
}

function colors({ HighlightStyle, tags }) {
  return HighlightStyle.define([
    { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword], class: "code-keyword" },
    { tag: [tags.string, tags.special(tags.string)], class: "code-string" },
    { tag: [tags.number, tags.bool, tags.null], class: "code-number" },
    { tag: tags.comment, class: "code-comment" },
    { tag: [tags.function(tags.definition(tags.variableName)), tags.className], class: "code-name" },
  ]);
}

// Only what the editor lays out itself; the colours are those of the page (style.css).
const look = {
  "&": { height: "100%", fontSize: "0.9rem" },
  ".cm-scroller": { overflow: "auto", lineHeight: "1.55" },
};

const KINDS = { method: "method", property: "property", constant: "constant" };

// What stands before the dot says the type; where that is not known, the state comes first.
function names({ types, owners }, { snippetCompletion }) {
  const options = (type) =>
    types[type].map(({ name, kind, detail, doc }) => {
      const option = { label: name, type: KINDS[kind], detail, info: doc || undefined };
      if (kind !== "method") return option;
      const isCalledBare = detail.startsWith("()");
      return snippetCompletion(isCalledBare ? `${name}()` : `${name}(\${})`, option);
    });
  const all = Object.fromEntries(Object.keys(types).map((type) => [type, options(type)]));
  const words =
    "and as assert break class continue def elif else except False finally for from if import in is lambda None not or pass print raise return True try while with len max min sorted sum range enumerate zip abs random choice state move seconds GAME me games note".split(
      " ",
    );
  return (context) => {
    const dotted = context.matchBefore(/[\w.]*\.\w*/);
    if (dotted) {
      const before = dotted.text.slice(0, dotted.text.lastIndexOf("."));
      const type = owners[before] ?? owners[before.split(".").at(-1)];
      const from = dotted.from + dotted.text.lastIndexOf(".") + 1;
      return {
        from,
        options: type ? all[type] : [...all.State, ...all.Move, ...all.Team],
        validFor: /^\w*$/,
      };
    }
    const word = context.matchBefore(/\w+/);
    if (!word && !context.explicit) return null;
    const seen = new Set(words);
    for (const [name] of context.state.doc.toString().matchAll(/\b[A-Za-z_]\w{2,}\b/g)) seen.add(name);
    if (word) seen.delete(word.text);
    return {
      from: word?.from ?? context.pos,
      options: [...seen].map((label) => ({ label })),
      validFor: /^\w*$/,
    };
  };
}

// What a name of the game means, where the pointer rests.
function explanation({ types, owners }) {
  return (view, position) => {
    const line = view.state.doc.lineAt(position);
    for (const found of line.text.matchAll(/([\w]+)\.(\w+)/g)) {
      const [, owner, name] = found;
      const from = line.from + found.index + owner.length + 1;
      if (position < from || position > from + name.length) continue;
      const type = owners[owner];
      const candidates = type ? [type] : Object.keys(types);
      const known = candidates.flatMap((each) => types[each]).find((each) => each.name === name);
      if (!known) return null;
      const dom = document.createElement("div");
      dom.className = "code-help";
      const head = document.createElement("code");
      head.textContent = known.kind === "method" ? `${name}${known.detail}` : `${name}: ${known.detail}`;
      const text = document.createElement("p");
      text.textContent = known.doc;
      dom.append(head, text);
      return { pos: from, end: from + name.length, above: true, create: () => ({ dom }) };
    }
    return null;
  };
}
