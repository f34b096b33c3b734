import { type ComponentType, lazy } from 'react'

type PaletteComponent = ComponentType<{ onClose: () => void }>

let loaded: PaletteComponent | undefined

/** Once it has loaded, the palette opens in the same task as its key: no letter typed after it is lost. */
export async function loadPalette(): Promise<{ default: PaletteComponent }> {
  const { Palette } = await import('./palette.tsx')
  loaded = Palette
  return { default: Palette }
}

const Waiting = lazy(loadPalette)

export function LazyPalette({ onClose }: { onClose: () => void }) {
  const Palette = loaded ?? Waiting
  return <Palette onClose={onClose} />
}
