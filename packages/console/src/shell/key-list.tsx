import { Dialog } from '../ui/dialog.tsx'
import { KeyCap } from '../ui/field.tsx'
import { keyCaps, useShortcutList } from '../ui/keyboard.tsx'

/** Every key that works on this screen right now. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const shortcuts = new Map(useShortcutList().map((shortcut) => [shortcut.keys, shortcut]))
  return (
    <Dialog title="Keys on this screen" onClose={onClose}>
      <dl className="grid gap-x-32 wide:grid-cols-2">
        {[...shortcuts.values()].map(({ keys, label }) => (
          <div
            key={keys}
            className="flex min-h-ctl items-center justify-between gap-12 border-line border-b py-4"
          >
            <dt>{label}</dt>
            <dd className="flex gap-4">
              {keyCaps(keys).map((cap) => (
                <KeyCap key={cap} always>
                  {cap}
                </KeyCap>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-12 text-text-3">Single letters can be turned off in the account menu.</p>
    </Dialog>
  )
}
