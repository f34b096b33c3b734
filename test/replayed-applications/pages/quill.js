// A text editor with a toolbar, lists and formats.
import Quill from 'quill'
import 'quill/dist/quill.snow.css'

const host = document.body.appendChild(document.createElement('div'))
const quill = new Quill(host, {
  theme: 'snow',
  modules: { toolbar: [[{ header: [1, 2, false] }], ['bold', 'italic', 'link'], [{ list: 'ordered' }]] },
})
quill.setContents([
  { insert: 'Delivery by bicycle\n', attributes: { header: 1 } },
  { insert: 'Ring twice, then wait.\n' },
])

window.steps = {
  'as it was loaded': () => undefined,
  'a list was added': () =>
    quill.updateContents([
      { retain: quill.getLength() - 1 },
      { insert: '\nBell' },
      { insert: '\n', attributes: { list: 'ordered' } },
      { insert: 'Helmet', attributes: { bold: true } },
      { insert: '\n', attributes: { list: 'ordered' } },
    ]),
  'the title was formatted': () => quill.formatText(0, 8, { italic: true, color: '#a00' }),
  'the menu of headings is open': () =>
    document.querySelector('.ql-picker-label').dispatchEvent(new MouseEvent('mousedown', { bubbles: true })),
}
