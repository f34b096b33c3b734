// The allowlist of the player for recorded pages. Anything not listed here never reaches the rebuilt page.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements that only display content. */
export const htmlTags = words(`
  a abbr acronym address area article aside audio b bdi bdo big blockquote body br button canvas caption center cite code
  col colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3
  h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li main map mark marquee menu meter nav nobr
  ol optgroup option output p picture pre progress q rp rt ruby s samp search section select selectedcontent slot small
  span strike strong style sub summary sup table tbody td textarea tfoot th thead time title tr tt u ul var video wbr
`)

/** Elements that run code, fetch, affect other elements or hold hidden content: removed without a placeholder. */
export const unseenTags = words(`
  animate animatecolor animatemotion animatetransform applet base basefont bgsound discard embed fencedframe feimage frame
  frameset handler isindex keygen listener meta mpath noembed noframes noscript object param plaintext portal script set
  source template track xmp
`)

/** In lower case. */
export const svgTags = words(`
  a circle clippath defs desc ellipse feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix
  fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur
  femerge femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter
  foreignobject g image line lineargradient marker mask metadata path pattern polygon polyline radialgradient rect stop
  style svg switch symbol text textpath title tspan use view
`)

/** Those of SVG that are written with capitals, by their name in lower case. */
export const svgNames: ReadonlyMap<string, string> = new Map(
  [
    ...words(`
      clipPath feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
      feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
      feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject linearGradient radialGradient
      textPath
    `),
  ].map((name) => [name.toLowerCase(), name]),
)

export const mathTags = words(`
  annotation annotation-xml maction math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom
  mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics
`)

/** Elements that allow `attachShadow`; it throws for others. */
export const shadowHosts = words(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span',
)

/** Names that a page cannot define as a custom element. */
export const takenNames = words(`
  annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name missing-glyph
`)

/** Attributes whose value is a text, a number or a name: never an address or a script. */
export const plainAttributes = words(`
  abbr accept align alt aria-label axis bgcolor border cellpadding cellspacing char checked class clear color cols colspan
  contenteditable coords cx cy d dir disabled draggable dx dy enterkeyhint face fr frame frameborder fx fy headers height
  hidden high id inert inputmode kind label lang list low max maxlength media min minlength multiple offset open
  optimum part pattern placeholder points popover preserveaspectratio preserveAspectRatio r readonly required reversed role
  rows rowspan rules rx ry scope selected shape size slot span spellcheck start step summary tabindex text title translate
  type valign value viewbox viewBox width wrap x x1 x2 xml:lang xml:space y y1 y2 xmlns
`)

/** Attributes with inline CSS, and SVG presentation attributes. */
export const styleAttributes = words(`
  style fill stroke color mask filter clip-path cursor marker-start marker-mid marker-end transform transform-origin
  gradienttransform patterntransform stop-color flood-color lighting-color font-family background-color
`)

/** Attributes that contain addresses, run code, trigger actions or change the type of an element: never allowed. */
export const actingAttributes = words(`
  action actiontype archive attributename autofocus autoplay background base begin by challenge charset cite classid code
  codebase codetype command commandfor content csp data download dur dynsrc end fetchpriority form formaction
  formmethod formtarget from handler http-equiv imagesizes imagesrcset import is itemid itemtype integrity
  interestfor keytype language lowsrc longdesc manifest method nonce ping popovertarget popovertargetaction poster profile
  referrerpolicy rel sandbox shadowrootmode src srcdoc srcset target to use usemap values xlink:actuate xlink:show xml:base
`)

/** As a name or id, they would shadow the form properties that the player reads. */
export const namesOfNodes = words(`
  append appendChild attachShadow attributes childNodes children contains firstChild getAttribute getBoundingClientRect
  insertBefore isConnected lastChild localName matches nextSibling nodeName nodeType ownerDocument parentElement parentNode
  previousSibling querySelector querySelectorAll remove removeAttribute removeChild replaceWith scrollTo setAttribute
  setAttributeNS shadowRoot style tagName textContent dispatchEvent focus blur value checked open close show showModal
  hidePopover showPopover
`)

/** Set by the player alone: what the user points at, what has the focus, and boxes in place of content. */
export const ownAttributes = {
  hover: 'data-telltale-hover',
  focus: 'data-telltale-focus',
  focusVisible: 'data-telltale-focus-visible',
  focusWithin: 'data-telltale-focus-within',
  box: 'data-telltale-box',
  playing: 'data-telltale-playing',
} as const
