// Connects the models with the engines: the settings of the environment, the stored keys, and the library of the
// providers, which is loaded with the first model that is opened.

import type { ModelsContext } from '../models/settings.ts'
import type { Engines } from './engines.ts'

export function modelsOf({ config, postgres, secrets, clock, timeGuard, redactor }: Engines): ModelsContext {
  return {
    db: postgres.db,
    secrets,
    settings: config.model,
    modelId: config.model.id,
    privateHosts: config.repositories.privateHosts,
    clock,
    openModel: async (id, settings) => {
      const { openModel } = await import('../agent/model/providers.ts')
      return openModel(id, settings, clock, { report: timeGuard.reportDate, redactor })
    },
  }
}
