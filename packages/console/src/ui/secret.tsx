import { Button } from './button.tsx'
import { useCopy } from './copy.tsx'
import { Notice } from './notice.tsx'

type SecretProps = {
  /** `Server key`, `API token`. */
  name: string
  value: string
}

/** A secret that is shown only once, after its creation. Afterwards only its first or last characters are known. */
export function NewSecret({ name, value }: SecretProps) {
  const { status, copy } = useCopy(value)
  return (
    <div className="grid gap-12">
      <Notice
        tone="warn"
        title="Shown only once"
        detail={`Copy the ${name} now. It cannot be shown again.`}
      />
      <div className="flex flex-wrap items-center gap-8">
        <code className="min-w-0 flex-1 select-all whitespace-normal break-all rounded-control border border-line bg-sunken px-12 py-8">
          {value}
        </code>
        <Button icon={status === 'Copied' ? 'check' : 'copy'} look="primary" onClick={copy}>
          {status ?? 'Copy'}
        </Button>
      </div>
    </div>
  )
}
