export type MetadataAnswers = Readonly<Record<never, never>>;
