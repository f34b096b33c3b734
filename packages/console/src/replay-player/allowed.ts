// What a recorded page may consist of in the player. Whatever is not listed here does not reach the page that is rebuilt.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements that show something and do nothing by themselves. */
export const htmlTags = words(`
  a abbr acronym address area article aside audio b bdi bdo big blockquote body br button canvas caption center cite code
  col colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3
  h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li main map mark marquee menu meter nav nobr
  ol optgroup option output p picture pre progress q rp rt ruby s samp search section select selectedcontent slot small
  span strike strong style sub summary sup table tbody td textarea tfoot th thead time title tr tt u ul var video wbr
`)

/** They run, fetch, change others or hold what is not shown: nothing stands in their place. */
export const unseenTags = words(`
  animate animatecolor animatemotion animatetransform applet base basefont bgsound discard embed fencedframe feimage frame
  frameset handler isindex keygen listener meta mpath noembed noframes noscript object param plaintext portal script set
  source template track xmp
`)

/** In lower case; the replayer writes them as SVG wants them. */
export const svgTags = words(`
  a circle clippath defs desc ellipse feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix
  fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur
  femerge femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter
  foreignobject g image line lineargradient marker mask metadata path pattern polygon polyline radialgradient rect stop
  style svg switch symbol text textpath title tspan use view
`)

/** Those a page may give a shadow tree; to ask it of others fails. */
export const shadowHosts = words(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span',
)

/** Names that a page cannot define as its own element. */
export const takenNames = words(`
  annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name missing-glyph
`)

/** Attributes whose value is a text, a number or a name, whatever it says: none is an address or a program. */
export const plainAttributes = words(`
  abbr accept align alt aria-label axis bgcolor border cellpadding cellspacing char checked class clear color cols colspan
  contenteditable coords cx cy d dir disabled draggable dx dy enterkeyhint face fr frame frameborder fx fy headers height
  hidden high id inert inputmode kind label lang list low max maxlength min minlength multiple offset open
  optimum part pattern placeholder points popover preserveaspectratio preserveAspectRatio r readonly required reversed role
  rows rowspan rules rx ry scope selected shape size slot span spellcheck start step summary tabindex text title translate
  type valign value viewbox viewBox width wrap x x1 x2 xml:lang xml:space y y1 y2 xmlns
`)

/** Style sheets in small, and what SVG writes in their language. */
export const styleAttributes = words(`
  style fill stroke color mask filter clip-path cursor marker-start marker-mid marker-end transform transform-origin
  gradienttransform patterntransform stop-color flood-color lighting-color font-family background-color
`)

/** They name addresses, run something, act by themselves or change what an element is: never, whatever the value. */
export const actingAttributes = words(`
  action actiontype archive attributename autofocus autoplay background base begin by challenge charset cite classid code
  codebase codetype command commandfor content csp data data-rrweb download dur dynsrc end fetchpriority form formaction
  formmethod formtarget from handler http-equiv imagesizes imagesrcset import is itemid itemtype integrity
  interestfor keytype language lowsrc longdesc manifest method nonce ping popovertarget popovertargetaction poster profile
  referrerpolicy rel sandbox shadowrootmode src srcdoc srcset target to use usemap values xlink:actuate xlink:show xml:base
`)

/** As a name they would stand before what the replayer asks of a form. */
export const namesOfNodes = words(`
  append appendChild attachShadow attributes childNodes children contains firstChild getAttribute insertBefore lastChild
  matches nextSibling nodeName nodeType ownerDocument parentElement parentNode previousSibling querySelector
  querySelectorAll remove removeAttribute removeChild replaceWith scrollTo setAttribute setAttributeNS shadowRoot style
  tagName textContent dispatchEvent focus blur value checked open close show showModal
`)

/** The recorder writes it at a popover that is shown. */
export const popoverMark = 'data-telltale-popover'
