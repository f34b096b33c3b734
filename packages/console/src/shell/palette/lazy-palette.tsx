import { type ComponentType, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { showToast } from '../../ui/overlay/toast.tsx'

interface PaletteProps {
  onClose: () => void
  text: string
  onText: (text: string) => void
  onFocus: () => void
}

let loaded: ComponentType<PaletteProps> | undefined

/** Once it has loaded, the palette opens without a request. */
export async function loadPalette(): Promise<ComponentType<PaletteProps>> {
  const { Palette } = await import('./palette.tsx')
  loaded = Palette
  return Palette
}

type LazyPaletteProps = { onClose: () => void }

/** Until its field has the focus, what is typed is kept for it: no letter after its key is lost. */
export function LazyPalette({ onClose }: LazyPaletteProps) {
  const [{ Palette }, setReady] = useState({ Palette: loaded })
  const [text, setText] = useState('')
  const isFocused = useRef(false)
  const isWaiting = Palette === undefined
  const close = useEffectEvent(onClose)

  useEffect(() => {
    if (!isWaiting) return
    loadPalette().then(
      (ready) => setReady({ Palette: ready }),
      () => {
        showToast({ text: 'The command palette could not be loaded. Check your connection and try again.' })
        close()
      },
    )
  }, [isWaiting])

  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (isFocused.current || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (event.key === 'Escape') close()
      else if (event.key === 'Backspace') setText((before) => before.slice(0, -1))
      else if ([...event.key].length === 1) setText((before) => before + event.key)
    }
    window.addEventListener('keydown', keep, true)
    return () => window.removeEventListener('keydown', keep, true)
  }, [])

  return (
    Palette && (
      <Palette
        onClose={onClose}
        text={text}
        onText={setText}
        onFocus={() => {
          isFocused.current = true
        }}
      />
    )
  )
}
