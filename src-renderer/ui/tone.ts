// How a state is meant; every tone has a colour and a sign. Imported by ui and features.

export type Tone = 'quiet' | 'active' | 'good' | 'warn' | 'bad';
