import { DocsLink } from '../../ui/docs-link.tsx'
import { KeyCap } from '../../ui/form/field.tsx'
import { keyCaps, useShortcutList } from '../../ui/keyboard.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'

/** All keyboard shortcuts that are active on this screen. */
export function KeyList({ onClose }: { onClose: () => void }) {
  // The latest registration of a key wins; two keys with the same meaning share a row.
  const labels = new Map(useShortcutList().map(({ keys, label }) => [keys, label]))
  const rows = new Map<string, string[]>()
  for (const [keys, label] of labels) rows.set(label, [...(rows.get(label) ?? []), keys])
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid gap-x-32 wide:grid-cols-2">
        {[...rows].map(([label, ways]) => (
          <div
            key={label}
            className="flex min-h-ctl items-center justify-between gap-12 border-line border-b py-4"
          >
            <dt>{label}</dt>
            <dd className="flex gap-4">
              {ways.map((keys, index) => (
                <span key={keys} className="flex gap-4">
                  {index > 0 && <span className="text-12 text-text-3">or</span>}
                  {keyCaps(keys).map((cap) => (
                    <KeyCap key={cap} always>
                      {cap}
                    </KeyCap>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-12 text-text-3">
        Single-key shortcuts can be turned off in the account menu. Read more in the{' '}
        <DocsLink page="">documentation</DocsLink>.
      </p>
    </Dialog>
  )
}
