import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { showToast } from '../../ui/overlay/toast.tsx'

type PaletteComponent = ComponentType<{ onClose: () => void; typed?: string }>

let loaded: PaletteComponent | undefined

/** Once it has loaded, the palette opens in the same task as its key: no letter typed after it is lost. */
export async function loadPalette(): Promise<PaletteComponent> {
  const { Palette } = await import('./palette.tsx')
  loaded = Palette
  return Palette
}

type LazyPaletteProps = { onClose: () => void }

/** Until it has loaded, what is typed is kept for it. */
export function LazyPalette({ onClose }: LazyPaletteProps) {
  const [{ Palette }, setReady] = useState({ Palette: loaded })
  const [typed, setTyped] = useState('')
  const isWaiting = Palette === undefined
  const close = useEffectEvent(onClose)

  useEffect(() => {
    if (!isWaiting) return
    loadPalette().then(
      // At once, with its focus: a key between the two would be lost.
      (ready) => flushSync(() => setReady({ Palette: ready })),
      () => {
        showToast({ text: 'The command palette could not be loaded. Check your connection and try again.' })
        close()
      },
    )
    const keep = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (event.key === 'Escape') close()
      else if (event.key === 'Backspace') setTyped((text) => text.slice(0, -1))
      else if ([...event.key].length === 1) setTyped((text) => text + event.key)
    }
    window.addEventListener('keydown', keep, true)
    return () => window.removeEventListener('keydown', keep, true)
  }, [isWaiting])

  return Palette && <Palette onClose={onClose} typed={typed} />
}
