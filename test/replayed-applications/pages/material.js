// A design system of custom elements that draws ripples, outlines and focus rings in nested shadow roots.
import '@material/web/button/filled-button.js'
import '@material/web/button/outlined-button.js'
import '@material/web/checkbox/checkbox.js'
import '@material/web/chips/chip-set.js'
import '@material/web/chips/filter-chip.js'
import '@material/web/list/list-item.js'
import '@material/web/list/list.js'
import '@material/web/progress/linear-progress.js'
import '@material/web/slider/slider.js'
import '@material/web/switch/switch.js'
import '@material/web/tabs/primary-tab.js'
import '@material/web/tabs/tabs.js'
import '@material/web/textfield/outlined-text-field.js'

document.body.innerHTML = `<md-tabs><md-primary-tab>Order</md-primary-tab><md-primary-tab>Delivery</md-primary-tab></md-tabs><br>
<md-outlined-text-field label="Name" value="Ada"></md-outlined-text-field> <md-checkbox checked></md-checkbox> <md-switch></md-switch><br><br>
<md-slider value="30"></md-slider><md-linear-progress value="0.4"></md-linear-progress>
<md-chip-set><md-filter-chip label="Bells"></md-filter-chip><md-filter-chip label="Locks" selected></md-filter-chip></md-chip-set>
<md-list><md-list-item>Bell<div slot="supporting-text">of brass</div></md-list-item><md-list-item>Lock</md-list-item></md-list>
<md-filled-button>Order</md-filled-button> <md-outlined-button>Cancel</md-outlined-button>`

window.steps = {
  'as it was loaded': () => document.querySelector('md-tabs').updateComplete,
  changed: () => {
    document.querySelector('md-outlined-text-field').value = 'Ada Lovelace'
    document.querySelector('md-switch').selected = true
    document.querySelector('md-checkbox').indeterminate = true
  },
  'on the other tab': () => {
    document.querySelector('md-tabs').activeTabIndex = 1
  },
  'with more in the list': () => {
    for (let index = 0; index < 20; index++) {
      const item = document.createElement('md-list-item')
      item.textContent = `Article ${index}`
      document.querySelector('md-list').prepend(item)
    }
    document.querySelector('md-slider').value = 80
  },
}
