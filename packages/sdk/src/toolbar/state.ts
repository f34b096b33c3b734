// What is kept for the tab, in session storage, and in force at once.

import type { KeptToolbar } from './kept.ts'
import type { ToolbarPlace } from './place.ts'

export interface ToolbarState {
  /** Whether an earlier page of the tab had the toolbar. */
  wasKept: boolean
  kept(): KeptToolbar
  /** `changed`: a flag whose forced value is another now. */
  update(next: KeptToolbar, changed?: string): void
  /** Called after each update. */
  onUpdate(listener: () => void): void
  /** Releases what was forced. The next page of the tab has no toolbar. */
  end(): void
}

export function createState(
  { server, kept: inForce, change }: ToolbarPlace,
  onEnd: () => void,
): ToolbarState {
  const name = `telltale:${server.key}:toolbar`
  const listeners: (() => void)[] = []
  const stored = attempt(() => sessionStorage.getItem(name))
  let kept: KeptToolbar = { ...inForce }

  return {
    wasKept: Boolean(stored),
    kept: () => kept,
    update(next, changed) {
      kept = { ...next, isOn: true }
      // What a forced value did may be reported after its release: the mark holds until the page ends.
      Object.assign(inForce, kept, { mark: kept.mark || inForce.mark })
      attempt(() => sessionStorage.setItem(name, JSON.stringify(kept)))
      if (changed !== undefined) change([changed])
      for (const listener of listeners) listener()
    },
    onUpdate(listener) {
      listeners.push(listener)
    },
    end() {
      const flags = (kept.forced ?? []).map(([flag]) => flag)
      kept = {}
      Object.assign(inForce, { isOn: false, grant: undefined, forced: undefined })
      attempt(() => sessionStorage.removeItem(name))
      if (flags.length > 0) change(flags)
      onEnd()
    },
  }
}

function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    // Without storage, it holds for this page.
    return undefined
  }
}
