// The providers whose keys can be stored. A separate file, so that contracts can import it without a provider's library.

import { type ModelProvider, modelProviders } from '../agent/model/model-id.ts'

export const modelKeyProviders: readonly [ModelProvider, ...ModelProvider[]] = modelProviders

export function toProvider(text: string): ModelProvider | undefined {
  return modelProviders.find((one) => one === text)
}
