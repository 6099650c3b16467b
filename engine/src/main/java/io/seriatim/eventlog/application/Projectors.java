package io.seriatim.eventlog.application;

import java.util.List;

/**
 * The projectors of an application in this process.
 *
 * @param present those that it has, in the order in which they are called
 * @param missing the names of those that the application has and this process does not
 */
record Projectors(List<Projector> present, List<String> missing) {

    /*
     * Which projectors an application has is stored with it, as soon as one process brings one. A process that applied
     * events without them would move the applied offset past what they were never shown, and nobody would see it; the
     * command line on a folder is such a process, too. So it shows the log, and applies nothing.
     */

    Projectors {
        present = List.copyOf(present);
        missing = List.copyOf(missing);
    }

    static Projectors of(Schema schema, ApplicationSettings settings) {
        List<Projector> present = settings.projectors().getOrDefault(schema.name(), List.of());
        List<String> names = names(present);
        return new Projectors(
                present,
                schema.projectors().stream()
                        .filter(each -> !names.contains(each))
                        .toList());
    }

    static List<String> names(List<Projector> projectors) {
        return projectors.stream().map(Projector::name).toList();
    }
}
