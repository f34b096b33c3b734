// How code reads flags: the functions and methods of Telltale's clients and of OpenFeature, and a team's wrappers.

/** `value`: the call returns the value. `details`: an object with `value`, variant and reason. */
type ReadForm = 'value' | 'details'

export interface Wrapper {
  /** The function, or the last names of a member: `isEnabled`, `features.isOn`. */
  name: string
  /** The position of the key among the arguments. Default: 0. */
  argument?: number | undefined
  /** The flag, for a wrapper that reads one flag and does not take a key. */
  flag?: string | undefined
  returns?: ReadForm | undefined
  /** Whether it returns a promise. */
  isAsync?: boolean | undefined
}

/** A team's own names, from its configuration file. */
export interface CodeNames {
  wrappers: readonly Wrapper[]
  /** Names of constants, such as `Flags.newCheckout`, and the keys of the flags. */
  constants: Readonly<Record<string, string>>
}

export interface ReadCall {
  form: ReadForm
  isAsync: boolean
  /** The position of the key, unless the call always reads `flag`. */
  argument: number
  flag: string | undefined
}

const openFeatureTypes = ['Boolean', 'String', 'Number', 'Object']

const functions = new Map<string, ReadForm>([
  ['useFlag', 'value'],
  ['useFlagDetails', 'details'],
  ['useSuspenseFlag', 'details'],
  ...openFeatureTypes.flatMap((type): [string, ReadForm][] => [
    [`use${type}FlagValue`, 'value'],
    [`use${type}FlagDetails`, 'details'],
  ]),
])

const methods = new Map<string, ReadForm>([
  ['getBoolean', 'value'],
  ['getString', 'value'],
  ['getNumber', 'value'],
  ['getJson', 'value'],
  ['getDetails', 'details'],
])

const openFeatureMethods = new Map<string, ReadForm>(
  openFeatureTypes.flatMap((type): [string, ReadForm][] => [
    [`get${type}Value`, 'value'],
    [`get${type}Details`, 'details'],
  ]),
)

interface Callee {
  /** `useFlag`, or `flags.getBoolean`; imported names as they are exported. */
  path: string
  isMember: boolean
  /** Where the first name was imported from. */
  source: string | undefined
}

const serverOpenFeature = /^@openfeature\/(server-sdk|nestjs-sdk)$/

/** How this call reads a flag; `sources` are the packages that the file imports. */
export function findReadCall(
  { path, isMember, source }: Callee,
  names: CodeNames,
  sources: ReadonlySet<string>,
): ReadCall | undefined {
  const wrapper = names.wrappers.find(({ name }) => path === name || path.endsWith(`.${name}`))
  if (wrapper !== undefined) {
    const { returns = 'value', isAsync = false, argument = 0, flag } = wrapper
    return { form: returns, isAsync, argument, flag }
  }
  const name = path.slice(path.lastIndexOf('.') + 1)
  const call = (form: ReadForm, isAsync = false) => ({ form, isAsync, argument: 0, flag: undefined })
  if (!isMember) {
    const form = functions.get(name)
    // The hook of OpenFeature returns an object of details under the same name.
    if (name === 'useFlag' && source?.startsWith('@openfeature/')) return call('details')
    return form && call(form)
  }
  const form = methods.get(name) ?? functions.get(name)
  if (form !== undefined) return call(form)
  const standard = openFeatureMethods.get(name)
  return (
    standard &&
    call(
      standard,
      [...sources].some((from) => serverOpenFeature.test(from)),
    )
  )
}
