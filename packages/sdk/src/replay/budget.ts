// Limits the recorder's share of the main thread. Over budget it batches changes, then omits the part of the page that
// changes continuously, then stops; each step is noted in the replay. Past overruns expire, so that a page that is busy
// occasionally is recorded to the end.

export interface BudgetOptions {
  throttle(): void
  /** The part of the page that changed most. */
  block(target: Element): void
  stop(): void
}

export interface Budget {
  spend(time: number, changes: readonly MutationRecord[]): void
  stop(): void
}

const windowLength = 5_000
/** Of that time: one twentieth. */
const share = windowLength / 20
const blocksAtMost = 5
/** Of all changes: then it is that part of the page alone. */
const mostly = 0.5
/** After this many windows within budget, one overrun is forgiven. */
const forgiven = 12

export function createBudget({ throttle, block, stop }: BudgetOptions): Budget {
  let spent = 0
  let level = 0
  let good = 0
  let counts = new Map<Element, number>()
  const look = () => {
    const isOver = spent > share
    const noisiest = isOver && level > 0 ? findNoisiest(counts) : undefined
    spent = 0
    counts = new Map()
    if (!isOver) {
      if (++good % forgiven === 0 && level > 0) level--
      return
    }
    good = 0
    level++
    if (level === 1) throttle()
    else if (level <= blocksAtMost + 1 && noisiest) block(noisiest)
    else stop()
  }
  const timer = setInterval(look, windowLength)
  return {
    spend(time, changes) {
      spent += time
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        if (element) counts.set(element, (counts.get(element) ?? 0) + 1)
      }
    },
    stop: () => clearInterval(timer),
  }
}

/** The smallest part of the page in which most of the changes happened, unless that is most of the page. */
function findNoisiest(counts: ReadonlyMap<Element, number>): Element | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const within = new Map<Element, number>()
  for (const [element, count] of counts) {
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      within.set(at, (within.get(at) ?? 0) + count)
    }
  }
  let best: Element | undefined
  for (const [element, count] of within) {
    const isEnough = count >= total * mostly && element !== document.documentElement
    if (isEnough && (!best || best.contains(element))) best = element
  }
  const sizeOf = (part: ParentNode) => part.querySelectorAll('*').length
  return best && sizeOf(best) <= sizeOf(document) / 2 ? best : undefined
}
