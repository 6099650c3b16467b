package io.seriatim.verification;

import static java.util.Objects.requireNonNull;

import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.Appended;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.ApplicationDefinition;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Command;
import io.seriatim.eventlog.application.NewRecord;
import io.seriatim.eventlog.application.RecordKind;
import io.seriatim.eventlog.application.RecordUpdate;
import io.seriatim.eventlog.application.Reference;
import io.seriatim.rocksdb.RocksDbStore;
import java.nio.file.Path;
import java.time.Duration;

/** The shop as a service has it: two branches, their orders with items, their customers. */
final class ShopService {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(2)
            .kind("shop", "RecordID", 200_001)
            .type("order", RecordKind.ODOC)
            .type("item", RecordKind.ORECORD)
            .type("customer", RecordKind.CDOC);

    public static void main(String[] arguments) {
        try (Applications applications =
                Applications.on(RocksDbStore.open(Path.of(arguments[0])).eventLog())) {
            Application shop = applications.deploy("shop", SHOP).application();
            for (long branch = 1; branch <= 2; branch++) {
                Appended order = shop.append(order(branch, "Ada", "tea", 2).key("order-1"), WAIT);
                System.out.println("branch " + branch + ": " + order);
                long customer = requireNonNull(order.ids().get(4L));
                System.out.println(shop.append(rename(branch, customer, "Ada L."), WAIT));
                System.out.println(shop.partitionOf(branch)
                        .record(branch, customer)
                        .orElseThrow()
                        .fields());
            }
            try {
                shop.append(Command.in("shop", 1).create(NewRecord.of("custmer", 1)), WAIT);
            } catch (EventLogException e) {
                System.out.println(e.code() + ": " + e.getMessage());
            }
            shop.partition(1)
                    .events(1, 100)
                    .events()
                    .forEach(event -> System.out.println(event.plogOffset()
                            + event.argument().map(its -> ": order " + its.id()).orElse(": no order")
                            + ", customers: " + event.cuds().size()));
        }
    }

    /** Raw ids 1, 2 and 4 stand for the records in this command alone. */
    private static Command order(long branch, String customer, String item, int count) {
        return Command.in("shop", branch)
                .argument(NewRecord.of("order", 1)
                        .with("customer", Reference.to(4))
                        .child(
                                "items",
                                NewRecord.of("item", 2).with("name", item).with("count", count)))
                .create(NewRecord.of("customer", 4).with("name", customer));
    }

    private static Command rename(long branch, long customer, String name) {
        return Command.in("shop", branch).update(RecordUpdate.of(customer).with("name", name));
    }
}
