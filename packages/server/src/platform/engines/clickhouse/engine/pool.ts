// Lends items to one borrower at a time, in the order of requests. Rejects requests that wait too long or in too long a
// queue.
export class PoolBusy extends Error {
  override name = 'PoolBusy'
}

export type Pool<Thing> = { borrow(): Promise<Thing>; giveBack(thing: Thing): void }

export type Waiting = { most: number; limit: number }

export function createPool<Thing>(things: Thing[], { most, limit }: Waiting): Pool<Thing> {
  const free = [...things]
  const waiting: ((thing: Thing) => void)[] = []

  function wait(): Promise<Thing> {
    if (waiting.length >= most) return Promise.reject(new PoolBusy(`${most} statements wait already`))
    return new Promise((resolve, reject) => {
      const give = (thing: Thing) => {
        clearTimeout(timer)
        resolve(thing)
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(give), 1)
        reject(new PoolBusy(`no session became free within ${limit} ms`))
      }, limit)
      waiting.push(give)
    })
  }

  return {
    async borrow() {
      return free.pop() ?? wait()
    },
    giveBack(thing) {
      const next = waiting.shift()
      if (next === undefined) free.push(thing)
      else next(thing)
    },
  }
}
