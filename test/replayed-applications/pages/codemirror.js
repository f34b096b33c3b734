// An editor: lines come and go while it scrolls, and every keystroke rewrites spans.
import { javascript } from '@codemirror/lang-javascript'
import { basicSetup, EditorView } from 'codemirror'

const line = (index) =>
  `export function step${index}(value) { return value * ${index} + offset } // adds ${index}`
const doc = Array.from({ length: 800 }, (_, index) => line(index)).join('\n')
const parent = document.body.appendChild(document.createElement('div'))
parent.style.cssText = 'height: 600px; overflow: hidden'
const view = new EditorView({
  doc,
  parent,
  extensions: [basicSetup, javascript(), EditorView.theme({ '&': { height: '600px' } })],
})

window.steps = {
  'as it was loaded': () => undefined,
  'a line was written': () =>
    view.dispatch({ changes: { from: 0, insert: 'const offset = [1, 2, 3].length\n' } }),
  'scrolled to line 400': () => {
    view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(400).from, { y: 'start' }) })
  },
  'two hundred lines were deleted': () => {
    const { doc } = view.state
    view.dispatch({
      changes: { from: doc.line(300).from, to: doc.line(500).to, insert: 'let removed = "200 lines"' },
    })
  },
}
