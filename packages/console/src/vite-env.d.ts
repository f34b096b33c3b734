/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly CONSOLE_VERSION: string
  /** Of the packages that the server hands out. */
  readonly BROWSER_SDK_VERSION: string
  readonly NODE_SDK_VERSION: string
}
