// Widgets of the older kind: everything is a class and an inline style.
import jquery from 'jquery'
import 'jquery-ui/themes/base/all.css'

globalThis.jQuery = jquery
const loaded = import('jquery-ui/dist/jquery-ui.js')
document.body.innerHTML = `<div id="accordion"><h3>Bell</h3><div>Of brass.</div><h3>Lock</h3><div>Of steel.</div></div>
<input id="date"><div id="slider" style="margin: 20px"></div><div id="progress"></div><ul id="list"><li>One</li><li>Two</li><li>Three</li></ul><div id="dialog" title="Thank you">It is on its way.</div>`

window.steps = {
  'as it was loaded': async () => {
    await loaded
    jquery('#accordion').accordion({ animate: false })
    jquery('#date').datepicker({ defaultDate: new Date(2026, 2, 1), duration: 0 })
    jquery('#slider').slider({ value: 30 })
    jquery('#progress').progressbar({ value: 20 })
    jquery('#dialog').dialog({ autoOpen: false })
  },
  'with the other part open': () => jquery('#accordion').accordion('option', 'active', 1),
  'with a calendar': () => jquery('#date').datepicker('show'),
  'with a dialog': () => {
    jquery('#date').datepicker('hide')
    jquery('#slider').slider('value', 80)
    jquery('#progress').progressbar('value', 90)
    jquery('#dialog').dialog('open')
  },
}
