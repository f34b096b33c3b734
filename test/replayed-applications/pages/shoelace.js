// A design system of custom elements with shadow roots and adopted style sheets.
import '@shoelace-style/shoelace/dist/themes/light.css'
import '@shoelace-style/shoelace/dist/components/alert/alert.js'
import '@shoelace-style/shoelace/dist/components/badge/badge.js'
import '@shoelace-style/shoelace/dist/components/button/button.js'
import '@shoelace-style/shoelace/dist/components/card/card.js'
import '@shoelace-style/shoelace/dist/components/checkbox/checkbox.js'
import '@shoelace-style/shoelace/dist/components/details/details.js'
import '@shoelace-style/shoelace/dist/components/dialog/dialog.js'
import '@shoelace-style/shoelace/dist/components/input/input.js'
import '@shoelace-style/shoelace/dist/components/progress-bar/progress-bar.js'
import '@shoelace-style/shoelace/dist/components/tab-group/tab-group.js'
import '@shoelace-style/shoelace/dist/components/tab-panel/tab-panel.js'
import '@shoelace-style/shoelace/dist/components/tab/tab.js'

document.body.innerHTML = `<sl-card><strong slot="header">Order</strong><sl-input label="Name" value="Ada"></sl-input><br>
<sl-checkbox checked>Gift</sl-checkbox> <sl-badge variant="success" pill>new</sl-badge><br><br><sl-progress-bar value="30"></sl-progress-bar>
<div slot="footer"><sl-button variant="primary">Order</sl-button></div></sl-card>
<sl-tab-group><sl-tab slot="nav" panel="one">Bell</sl-tab><sl-tab slot="nav" panel="two">Helmet</sl-tab>
<sl-tab-panel name="one">A bell of brass.</sl-tab-panel><sl-tab-panel name="two">A helmet of cork.</sl-tab-panel></sl-tab-group>
<sl-details summary="Delivery">By bicycle.</sl-details><sl-dialog label="Thank you">It is on its way.</sl-dialog>`

window.steps = {
  'as it was loaded': () => customElements.whenDefined('sl-tab-group'),
  changed: () => {
    document.querySelector('sl-input').value = 'Ada Lovelace'
    document.querySelector('sl-checkbox').checked = false
    document.querySelector('sl-progress-bar').value = 75
  },
  'on the other tab with details': async () => {
    document.querySelector('sl-tab-group').show('two')
    await document.querySelector('sl-details').show()
  },
  'with a dialog': () => document.querySelector('sl-dialog').show(),
}
