import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import type { JsonEditorProps } from './json-editor.tsx'

const look = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', maxHeight: '40vh' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', fontSize: '12px', lineHeight: '18px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', minHeight: '72px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    color: 'var(--text-3)',
    backgroundColor: 'var(--sunken)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--selected)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--selected)', outline: 'none' },
})

const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: 'var(--accent)' },
    { tag: tags.string, color: 'var(--ok)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  ]),
)

/**
 * Inside a shadow root, the editor adopts its style sheet as an object; in the page it would insert a `<style>`
 * element, which our content security policy blocks. Tab leaves the editor, as in other fields.
 */
export function JsonText({ label, value, onValue, readOnly = false }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ value, onValue })
  latest.current = { value, onValue }

  useEffect(() => {
    const element = host.current
    if (!element) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          json(),
          look,
          colours,
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorState.readOnly.of(readOnly),
          EditorView.editable.of(!readOnly),
          // Without it, read-only text could not be scrolled by keyboard.
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onValue(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, readOnly])

  // The value changed externally: a reset, or a newer saved version.
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  return <div ref={host} />
}
