import { Button } from '../../../ui/button.tsx'
import { useCopy } from '../../../ui/copy.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ShownOnce } from '../../../ui/overlay/shown-once.tsx'

/** New recovery codes, to be kept outside of this device. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { status, copy } = useCopy(codes.join('\n'))
  return (
    <ShownOnce title="Recovery codes" onClose={onClose}>
      <Notice
        tone="warn"
        title="Shown only once"
        detail="Keep them where you find them without this device. Each signs in once instead of your second factor."
      />
      <ul className="grid gap-4 rounded-control border border-line bg-sunken p-12 narrow:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code className="select-all">{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button icon={status === 'Copied' ? 'check' : 'copy'} onClick={copy}>
          {status ?? 'Copy all'}
        </Button>
      </div>
    </ShownOnce>
  )
}
