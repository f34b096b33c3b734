// Ids of the nodes that the player has, with what holds for them. A node has an id exactly as long as the player has
// it, so that the id of a node that was taken out and put in again is never used again.

import type { Context } from './masking.ts'
import { firstOf, nextOf } from './natives.ts'

export interface NodeIds {
  /** Of the next node. */
  readonly next: number
  /** 0: the player does not have it. */
  of(node: Node | null | undefined): number
  has(node: Node): boolean
  give(node: Node, about: AboutNode): void
  /** What it was given with. */
  about(node: Node): AboutNode
  /** `heir` takes the place of a node, under its id. */
  pass(node: Node, heir: Node): void
  /** With all that is in it; each is handed over before. */
  forget(node: Node, onForget: (node: Node) => void): void
  /** Begins again at 1. */
  clear(): void
}

export interface AboutNode {
  /** Of the content in which it stands. */
  context: Context
  /** Of its own content. */
  inside: Context
  /** An element that is shown as a box, or a text that is rules of a style. */
  isBox: boolean
}

/** Both contexts and a bit. */
const bits = 128
const insideBits = 8
const boxBit = 64

/** Roots that `childNodes` does not show: of a shadow tree, of a frame. */
export type InnerRoots = (node: Node) => readonly Node[]

export function createNodeIds(rootsOf: InnerRoots): NodeIds {
  let values = new WeakMap<Node, number>()
  let next = 1
  const about = (node: Node): AboutNode => {
    const value = values.get(node) ?? 0
    return {
      context: value % insideBits,
      inside: Math.floor((value % boxBit) / insideBits),
      isBox: value % bits >= boxBit,
    }
  }
  return {
    get next() {
      return next
    },
    of: (node) => Math.floor(((node && values.get(node)) ?? 0) / bits),
    has: (node) => values.has(node),
    give(node, { context, inside, isBox }) {
      values.set(node, next++ * bits + context + inside * insideBits + (isBox ? boxBit : 0))
    },
    about,
    pass(node, heir) {
      const value = values.get(node)
      if (value !== undefined) values.set(heir, value)
      values.delete(node)
    },
    forget(node, onForget) {
      const waiting = [node]
      for (let at = waiting.pop(); at; at = waiting.pop()) {
        // What is in a node without an id may have one all the same: it moved there.
        onForget(at)
        values.delete(at)
        for (let child = firstOf(at); child; child = nextOf(child)) waiting.push(child)
        // Once: a frame can be moved into the document that it showed.
        for (const root of rootsOf(at)) if (values.has(root)) waiting.push(root)
      }
    },
    clear() {
      values = new WeakMap()
      next = 1
    },
  }
}
