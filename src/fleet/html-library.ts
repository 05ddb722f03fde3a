/** What is used of htmlparser2: its index, loaded as it is, would bring a DOM as well. */
export { QuoteType, Tokenizer } from 'htmlparser2'
