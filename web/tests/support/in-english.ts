import { i18n } from '@lingui/core'

// As the UI does when it starts: texts are read in English.
i18n.loadAndActivate({ locale: 'en', messages: {} })
