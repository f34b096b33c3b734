/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly CONSOLE_VERSION: string
  /** Versions of the packages that the server hosts. */
  readonly BROWSER_SDK_VERSION: string
  readonly NODE_SDK_VERSION: string
}
