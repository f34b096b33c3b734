// Every place of a page where a text can be, each with a word of its own: what leaves the page is searched for them.

/** What the privacy level says about a place; `never` holds at every level. */
export type Kind = 'shown' | 'field' | 'style' | 'query' | 'never'

export interface Secret {
  kind: Kind
  place: string
  word: string
}

/** Letters alone: digits and addresses are replaced on their way, which would hide a leak. */
const nameOf = (index: number) =>
  `kf${[...index.toString(36).padStart(3, '0')].map((each) => String.fromCharCode(97 + (Number.parseInt(each, 36) % 26)) + (Number.parseInt(each, 36) > 25 ? 'w' : 'v')).join('')}z`

export interface SecretPage {
  secrets: Secret[]
  /** Of the document, and what of it has an address with a query. */
  html: string
  /** Runs in the page after the library. */
  script: string
  /** Of the address of the page. */
  address: string
}

const shownAttributes = [
  ...['title', 'aria-label', 'aria-description', 'aria-valuetext', 'aria-roledescription', 'data-user'],
  ...['data-name', 'data-tooltip', 'alt', 'label', 'summary', 'abbr', 'lang-name', 'itemprop', 'content'],
]
const neverAttributes = ['onclick', 'onload', 'onmouseover', 'nonce', 'ping', 'srcset', 'poster', 'integrity']
const openFields = ['text', 'email', 'search', 'tel', 'url']
const shownParts = [
  ...[
    'h1',
    'p',
    'a',
    'b',
    'li',
    'label',
    'legend',
    'blockquote',
    'code',
    'pre',
    'mark',
    'small',
    'q',
    'time',
  ],
  ...['output', 'address', 'figcaption', 'caption', 'dt', 'dd', 'summary', 'kbd', 'cite', 'del', 'ruby'],
]

/** `url`: where the page and its files are. */
export function describeSecretPage(url: string): SecretPage {
  const secrets: Secret[] = []
  const add = (kind: Kind, place: string) => {
    const word = nameOf(secrets.length)
    secrets.push({ kind, place, word })
    return word
  }
  const shown = (place: string) => add('shown', place)
  const never = (place: string) => add('never', place)
  const query = (place: string) => add('query', place)
  const style = (place: string) => add('style', place)
  const field = (place: string) => add('field', place)

  const head = `<title>${shown('title')}</title>
    <meta name="description" content="${never('meta description')}">
    <meta property="og:title" content="${never('meta property')}">
    <meta name="csrf-token" content="${never('meta token')}">
    <link rel="alternate" type="application/rss+xml" title="${shown('link title')}" href="/feed?of=${query('link to a feed')}">
    <link rel="stylesheet" href="/sheet.css?of=${query('style sheet')}">
    <script type="application/json">{"of":"${never('script of data')}"}</script>
    <script type="application/ld+json">{"of":"${never('linked data')}"}</script>
    <script>window.constant = '${never('script text')}'</script>
    <script src="/code.js?of=${query('script')}"></script>
    <!-- ${never('comment in the head')} -->
    <style>
      /* ${style('comment of a sheet')} */
      #quoted::after { content: "${style('content')}" }
      #single::after { content: '${style('content in single quotes')}' }
      #pictured { background-image: url("/picture.png?of=${style('url of a sheet')}") }
      #bare { background-image: url(/picture.png?of=${style('bare url')}) }
      #imaged { background: image-set("/picture.png?of=${style('image set')}" 1x) }
      #variable { --name: "${style('variable')}" }
      [data-card="${style('selector by attribute')}"] { color: red }
      #counted { counter-reset: c; list-style-type: "${style('list style')}" }
      @import "/more.css?of=${style('import')}";
      ${Array.from({ length: 40 }, (_, at) => `.card-${at} { margin: ${at}px }`).join('\n')}
    </style>`
  const inputs = [
    ...openFields.map(
      (type) => `<input type="${type}" id="in-${type}" value="${field(`value of ${type}`)}">`,
    ),
    ...openFields.map((type) => `<input type="${type}" placeholder="${shown(`placeholder of ${type}`)}">`),
    `<input type="password" id="in-password" value="${never('value of a password')}">`,
    `<input type="hidden" value="${never('value of a hidden field')}">`,
    `<input id="in-card" autocomplete="cc-number" value="${never('number of a card')}">`,
    `<input id="in-csc" autocomplete="section-a cc-csc" value="${never('code of a card')}">`,
    `<input id="in-code" autocomplete="one-time-code" value="${never('one-time code')}">`,
    `<input id="in-new" type="text" autocomplete="new-password" value="${never('password that is shown')}">`,
    `<input type="checkbox" value="${field('value of a box')}"><input type="radio" value="${field('value of a radio')}">`,
    `<textarea id="area">${field('text of an area')}</textarea><textarea placeholder="${shown('hint of an area')}"></textarea>`,
    `<select><option value="${field('value of an option')}">${field('text of an option')}</option>
      <optgroup label="${shown('group of options')}"><option label="${field('label of an option')}">x</option></optgroup></select>`,
    `<input list="list"><datalist id="list"><option value="${field('listed option')}"></datalist>`,
    `<div id="editable" contenteditable>${field('editable text')}</div>`,
    `<div contenteditable="plaintext-only">${field('plain editable text')}</div>`,
    `<button name="b" value="${field('value of a button')}">Go</button>`,
  ].join('\n')
  const marked = `<section data-telltale-mask><p>${never('masked text')}</p><input id="in-masked" value="${never('masked value')}">
      <img alt="${never('masked label')}"></section>
    <section data-telltale-block><p>${never('blocked text')}</p><input value="${never('blocked value')}"></section>
    <section data-telltale-ignore><input id="in-ignored" value="${never('ignored value')}"></section>`
  const parts = shownParts.map((tag) => `<${tag}>${shown(`text of ${tag}`)}</${tag}>`).join('\n')
  const attributes = shownAttributes
    .map((name) => `<i ${name}="${shown(`attribute ${name}`)}">x</i>`)
    .concat(neverAttributes.map((name) => `<i ${name}="${never(`attribute ${name}`)}">x</i>`))
    .join('\n')
  const addressed = `<a href="/cart?of=${query('link')}">x</a><a href="/cart#${never('fragment of a link')}">x</a>
    <a href="https://someone:${never('password of a link')}@shop.example/">x</a>
    <a href="mailto:a@b.example?body=${query('mail')}">x</a>
    <form action="/send?of=${query('form')}"></form><form><button formaction="/send?of=${query('button of a form')}">x</button></form>
    <img src="/picture.png?of=${query('picture')}" width="9" height="9"><iframe src="/frame.html?of=${query('frame')}"></iframe>
    <img srcset="/picture.png?of=${never('set of pictures')} 1x"><video poster="/picture.png?of=${never('poster')}"></video>
    <object data="/picture.png?of=${query('object')}"></object><blockquote cite="/a?of=${query('citation')}">x</blockquote>
    <img src="data:image/svg+xml,<svg>${never('data of a picture')}</svg>"><area href="/a?of=${query('area')}">
    <iframe srcdoc="<p>${shown('text of a frame')}</p><input value='${field('field of a frame')}'>"></iframe>`
  const rest = `<svg aria-label="${shown('label of a drawing')}"><title>${shown('title of a drawing')}</title>
      <desc>${shown('description of a drawing')}</desc><text>${shown('text of a drawing')}</text></svg>
    <noscript>${shown('without scripts')}</noscript><template>${never('template')}</template>
    <p style="--own: '${style('style of an element')}'; background: url(/picture.png?of=${style('url of an element')})">x</p>
    <dialog open>${shown('dialog')}</dialog><div popover id="popover">${shown('popover')}</div>
    <details><summary>more</summary>${shown('details')}</details><math><mi>${shown('formula')}</mi></math>
    <table><tr><th>${shown('head of a table')}</th><td>${shown('cell')}</td></tr></table>
    <progress aria-valuetext="${shown('progress')}"></progress><canvas id="canvas">${never('text for no canvas')}</canvas>
    <div id="host"></div><div id="late"></div><button id="press">${shown('name of a button')}</button>
    <button id="break" aria-label="${shown('label of a button')}">x</button><!-- ${never('comment')} -->`

  const script = `
    localStorage.setItem('own', '${never('local storage')}')
    sessionStorage.setItem('own', '${never('session storage')}')
    document.cookie = 'own=${never('cookie')}'
    window.name = '${never('name of the window')}'
    history.replaceState({ own: '${never('state of the history')}' }, '', location.href)
    const shadow = host.attachShadow({ mode: 'open' })
    shadow.innerHTML = '<p class="in-shadow" title="${shown('title in a shadow')}">${shown('text in a shadow')}</p><input value="${field('field in a shadow')}">'
    const adopted = new CSSStyleSheet()
    adopted.replaceSync('p::before { content: "${style('adopted sheet')}" }')
    shadow.adoptedStyleSheets = [adopted]
    const draw = canvas.getContext('2d')
    draw.fillText('${never('drawn on a canvas')}', 0, 10)
    app.setAttributes({ page: '/x?of=${query('attributes of all events')}' })
    window.go = async () => {
      const get = (path) => fetch(path).then((answer) => answer.text(), () => undefined)
      late.textContent = '${shown('later text')}'
      late.title = '${shown('later title')}'
      late.style.setProperty('--later', '"${style('later style')}"')
      late.insertAdjacentHTML('beforeend', '<p>${shown('inserted text')}</p><input value="${field('inserted field')}"><input type="password" value="${never('inserted password')}">')
      document.title = '${shown('later page title')}'
      document.styleSheets[1].insertRule('.later::after { content: "${style('inserted rule')}" }')
      popover.showPopover()
      await get('/api/list?of=${query('request')}')
      await get('/api/list?a=1&of=${query('second parameter')}#${never('fragment of a request')}')
      await fetch('/api/send', { method: 'POST', body: '${never('body of a request')}', headers: { 'x-own': '${never('header of a request')}' } })
      await new Promise((done) => {
        const request = new XMLHttpRequest()
        request.open('GET', '/api/list?of=${query('older request')}')
        request.onloadend = done
        request.send()
      })
      await get('http://localhost:1/none?of=${query('request that fails')}')
      navigator.sendBeacon('/api/send?of=${query('beacon')}', '${never('body of a beacon')}')
      new EventSource('/api/none?of=${query('stream')}').close()
      app.track('bought', { attributes: { page: '${url}/x?of=${query('attribute of an event')}', short: 'list?of=${query('attribute without a path')}' } })
      app.track('saw /x?of=${query('name of an event')}')
      app.addAction('opened /x?of=${query('name of an action')}', { from: '/y?of=${query('attribute of an action')}' })
      app.addTiming('/x?of=${query('name of a duration')}', 5)
      console.error('cannot read ${url}/x?of=${query('console')}')
      const reported = new Error('no answer of /api/x?of=${query('reported error')}')
      reported.cause = new Error('no answer of ${url}/y?of=${query('cause of an error')}')
      reported.config = { url: '/z?of=${query('request of an error')}' }
      app.reportError(reported, { attributes: { from: '${url}/x?of=${query('attribute of an error')}' } })
      app.reportError(new Error('part'), { componentStack: 'at Part (${url}/x.js?of=${query('component of an error')}:1:2)' })
      app.reportError({ name: 'E', message: { nested: '/x?of=${query('message that is an object')}' } })
      app.reportError('text alone search?of=${query('text as an error')}')
      const named = new Error('named')
      named.stack = 'Error: named\\n    at f (${url}/x.js?of=${query('stack')}:10:20)\\n    at http://someone:${never('password in a stack')}@shop.example/x.js:1:1'
      app.reportError(named)
      setTimeout(() => { throw new TypeError('broken at ' + '/x?of=${query('uncaught error')}') })
      setTimeout(() => { throw '${url}/x?of=${query('uncaught text')}' })
      Promise.reject(new RangeError('refused ${url}/x?a=b&of=${query('rejection')}'))
      Promise.reject({ of: { url: '/x?of=${query('rejected object')}' } })
      setTimeout(function busy() {
        const until = performance.now() + 160
        while (performance.now() < until);
      })
      workOf()
      history.pushState({}, '', '/next?of=${query('pushed address')}')
      history.pushState({}, '', '/next/two?of=${query('second pushed address')}#${never('pushed fragment')}')
      history.pushState({}, '', '/#/route?of=${query('query of a route')}')
      app.startView('/named?of=${query('name of a view')}')
    }`
  const address = `/secrets?of=${query('address')}&b=${query('second value of the address')}#${never('fragment')}`
  const html = `<!doctype html><html><head>${head}LIBRARY</head><body>
    ${inputs}${marked}${parts}${attributes}${addressed}${rest}<script>${script}</script></body></html>`
  return { secrets, html, script, address }
}
