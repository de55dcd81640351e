package imports

// Deployment is what missingPart judges by.
var Deployment = deployment
