// The document of the player. It receives from the console what to show, makes no network requests, and shows a
// recorded page in a frame without scripts.

import { storeAssets } from './assets.ts'
import { greeting, type PlayerCommand, type PlayerMessage } from './messages.ts'
import { createPicture, type Picture } from './picture.ts'
import { type Item, type ReadSegment, readSegment } from './read-segment.ts'

/** Before yielding to the browser. */
const workAtOnce = 200

function play(port: MessagePort, root: Element): void {
  const assets = storeAssets()
  let run = 0
  let items: Item[] = []
  let next = 0
  let shown: Picture | undefined
  let coming: Picture | undefined
  /** The latest request. */
  let wanted: number | undefined
  let isWorking = false
  const post = (message: PlayerMessage) => port.postMessage(message)

  const begin = (newRun: number) => {
    run = newRun
    items = []
    next = 0
    wanted = undefined
    coming?.close()
    coming = createPicture(root, assets)
  }
  const learn = (addresses: ReadSegment['addresses']) => {
    const isNew = addresses.filter(assets.learn).length > 0
    if (isNew && (coming ?? shown)?.isBuilt) post({ kind: 'learned', run })
  }
  const read = (order: PlayerCommand & { do: 'segment' }) => {
    const { items: more, addresses, moments, notes, privacy } = readSegment(order)
    learn(addresses)
    // The shown page is obsolete.
    items = [...items.slice(next), ...more]
    next = 0
    post({ kind: 'read', run, index: order.index, events: more.length, moments, notes, privacy })
  }
  const work = () => {
    isWorking = false
    const picture = coming ?? shown
    if (picture === undefined || wanted === undefined) return
    const began = performance.now()
    for (let item = items[next]; item !== undefined && item.at <= wanted; item = items[next]) {
      next++
      if (!picture.apply(item, wanted) && item.kind === 'operation') {
        post({ kind: 'broken', run, index: item.segment })
      }
      if (performance.now() - began > workAtOnce) return goOn()
    }
    picture.settle(wanted)
    if (coming?.isBuilt) {
      coming.fit()
      coming.reveal()
      shown?.close()
      shown = coming
      coming = undefined
    }
    post({ kind: 'shown', run, at: wanted, page: picture.isBuilt ? picture.size : undefined })
  }
  const goOn = () => {
    if (isWorking) return
    isWorking = true
    setTimeout(work)
  }
  port.onmessage = ({ data: order }: MessageEvent<PlayerCommand>) => {
    if (order.do === 'asset') assets.add(order.hash, order.mime, order.bytes)
    else if (order.do === 'begin') begin(order.run)
    else if (order.run !== run) return
    else if (order.do === 'segment') read(order)
    else if (order.do === 'words') {
      learn(readSegment({ index: 0, startedAt: 0, endedAt: 0, lines: order.lines }).addresses)
    } else {
      wanted = order.at
      if (!isWorking) work()
    }
  }
  addEventListener('resize', () => {
    for (const picture of [shown, coming]) picture?.fit()
  })
}

const root = document.getElementById('root')
if (root !== null && parent !== window) {
  const meet = ({ origin, source, data, ports: [port] }: MessageEvent) => {
    if (origin !== location.origin || source !== parent || data !== greeting || port === undefined) return
    removeEventListener('message', meet)
    play(port, root)
  }
  addEventListener('message', meet)
  parent.postMessage(greeting, location.origin)
}
